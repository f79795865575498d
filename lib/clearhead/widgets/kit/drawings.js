// Drawings that several figures share: bars, heat map, plane, and a handle to drag.
Object.assign(kit, (() => {
  const { h, s, drawing, number, listed, vector } = kit;

  // Horizontal bars, as text and boxes, so that they fit any width.
  function bars(labels, values, max = 1) {
    return h("div", { class: "ch-bars", role: "img", "aria-label": listed(labels.map((l, i) => `${l} ${number(values[i])}`)) },
      labels.map((label, i) => [
        h("span", { text: label }),
        h("span", { class: "ch-track" }, h("span", { class: "ch-bar", style: `width:${(100 * values[i]) / max}%` })),
        h("span", { class: "ch-number", text: number(values[i]) }),
      ]));
  }
  // Weights as tinted squares: one row per query, one column per key. `chosen` is the row to frame.
  function heatmap(A, rows, columns, { cell = 44, left = 80, top = 70, numbers = true, chosen = -1, rotation = 45, label }) {
    const width = left + columns.length * cell + 26, height = top + rows.length * cell + 6, parts = [];
    columns.forEach((name, j) => parts.push(s("text", {
      transform: `translate(${left + (j + 0.5) * cell + 4},${top - 8}) rotate(${-rotation})`, class: "ch-key", text: name })));
    A.forEach((row, i) => {
      parts.push(s("text", { x: left - 8, y: top + (i + 0.5) * cell + 5, "text-anchor": "end",
        class: i === chosen ? "ch-query ch-strong" : "ch-query", text: rows[i] }));
      row.forEach((weight, j) => {
        const x = left + j * cell, y = top + i * cell;
        parts.push(s("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, rx: 3, class: "ch-cell",
          "fill-opacity": 0.55 * weight, "data-row": i }));
        if (numbers) parts.push(s("text", { x: x + cell / 2, y: y + cell / 2 + 5, "text-anchor": "middle",
          class: "ch-in-cell", text: number(weight) }));
      });
    });
    if (chosen >= 0) parts.push(s("rect", { x: left - 1, y: top + chosen * cell - 1, width: columns.length * cell + 2,
      height: cell + 2, rx: 4, class: "ch-chosen" }));
    return drawing(width, height, label, ...parts);
  }
  // A plane from -reach to reach: `place` turns a vector into pixels, `vectorAt` turns pixels into a vector.
  function plane(reach, width = 320, height = 270) {
    const unit = height / 2 / reach, middle = [width / 2, height / 2];
    const toPixels = ([x, y]) => [middle[0] + x * unit, middle[1] - y * unit];
    const toVector = ([px, py]) => [(px - middle[0]) / unit, (middle[1] - py) / unit];
    const axes = () => [
      s("line", { x1: 0, x2: width, y1: middle[1], y2: middle[1], class: "ch-axis" }),
      s("line", { x1: middle[0], x2: middle[0], y1: 0, y2: height, class: "ch-axis" })];
    function name(v, text, className, distance = 0) {
      const [x, y] = toPixels(v), right = v[0] >= 0;
      const space = right ? width - x : x, inside = space < 9 * text.length + 14;
      return s("text", { x: inside ? Math.min(Math.max(x, 4.5 * text.length), width - 4.5 * text.length) : x + (right ? 9 : -9),
        y: inside ? y + (v[1] < 0 ? 24 + distance : -14 - distance) : y + (v[1] < 0 ? 16 + distance : -6 - distance),
        "text-anchor": inside ? "middle" : right ? "start" : "end", class: className, text });
    }
    function arrow(v, className) {
      const [x, y] = toPixels(v), length = Math.hypot(x - middle[0], y - middle[1]);
      if (length < 2) return [];
      const [ux, uy] = [(x - middle[0]) / length, (y - middle[1]) / length], back = Math.min(11, length);
      const head = [[x, y], [x - back * ux + 5 * uy, y - back * uy - 5 * ux], [x - back * ux - 5 * uy, y - back * uy + 5 * ux]];
      return [s("line", { x1: middle[0], y1: middle[1], x2: x - back * ux, y2: y - back * uy, class: className + " ch-stroke" }),
        s("polygon", { points: head.map((p) => p.join()).join(" "), class: className })];
    }
    return { width, height, toPixels, toVector, axes, name, arrow, reach };
  }
  // A handle over a drawing: moved by mouse, finger and arrow keys. `moved` gets the new vector.
  function handle(area, label, getVector, onMove) {
    const dot = h("button", { type: "button", class: "ch-handle" });
    const limit = ([x, y]) => {
      const maxX = (area.width / area.height) * area.reach;
      return [Math.min(maxX, Math.max(-maxX, x)), Math.min(area.reach, Math.max(-area.reach, y))].map((v) => Math.round(v * 100) / 100);
    };
    function update() {
      const [x, y] = area.toPixels(getVector());
      dot.style.left = `${(100 * x) / area.width}%`;
      dot.style.top = `${(100 * y) / area.height}%`;
      dot.setAttribute("aria-label", `${label}, at ${vector(getVector())}: drag it, or press the arrow keys`);
    }
    dot.addEventListener("pointerdown", (event) => { dot.setPointerCapture(event.pointerId); event.preventDefault(); dot.focus(); });
    dot.addEventListener("pointermove", (event) => {
      if (!dot.hasPointerCapture(event.pointerId)) return;
      const frame = dot.parentElement.getBoundingClientRect(), zoom = area.width / frame.width;
      onMove(limit(area.toVector([(event.clientX - frame.left) * zoom, (event.clientY - frame.top) * zoom])));
    });
    dot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
      if (!step) return;
      event.preventDefault();
      onMove(limit(getVector().map((x, i) => x + step[i])));
    });
    update();
    return { dot, update };
  }

  return { bars, heatmap, plane, handle };
})());
