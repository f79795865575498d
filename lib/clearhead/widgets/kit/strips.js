// Vectors as coloured cells: yellow above zero, slate below it, stronger where they are larger.
Object.assign(kit, (() => {
  const { h, number } = kit;
  const LEVELS = 12;   // of strength: the eye tells no more, and a canvas changes its colour less often

  function colours(box) {
    const style = getComputedStyle(box), colour = (name) => style.getPropertyValue(name).trim();
    return { plus: colour("--ch-plus"), minus: colour("--ch-minus"), weight: colour("--ch-weight"), query: colour("--ch-query"), ground: colour("--ch-ground") };
  }
  const largest = (values) => values.reduce((max, x) => Math.max(max, Math.abs(x)), 1e-9);

  // Paint numbers into a canvas's context, `columns` in a row, each `size` = [width, height].
  function paintCells(context, values, [x, y], columns, [cellWidth, cellHeight], max, colours) {
    for (let i = 0; i < values.length; i++) {
      const strength = Math.min(1, Math.ceil((LEVELS * Math.abs(values[i])) / max) / LEVELS);
      context.globalAlpha = strength;
      context.fillStyle = values[i] > 0 ? colours.plus : colours.minus;
      context.fillRect(x + (i % columns) * cellWidth, y + Math.floor(i / columns) * cellHeight, cellWidth, cellHeight);
    }
    context.globalAlpha = 1;
  }
  // A canvas as sharp as the screen; drawing goes on in CSS pixels.
  function sharp(canvas, width, height) {
    const scale = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    return context;
  }
  // A vector in words: its first entries, and the largest of all.
  function vectorInWords(values) {
    if (values.length < 5) return Array.from(values, (x) => number(x)).join(", ");
    const strongest = Array.from(values.keys()).reduce((a, b) => (Math.abs(values[b]) > Math.abs(values[a]) ? b : a));
    return `${values.length} entries: ${Array.from(values.slice(0, 3), (x) => number(x)).join(", ")} and so on; the largest is entry ${strongest + 1}, ${number(values[strongest])}`;
  }
  // One vector. Pointing at a cell shows its value.
  function strip(values, { name, columns, cell, max = largest(values), colours, onPoint }) {
    const rows = Math.ceil(values.length / columns), [cellWidth, cellHeight] = cell;
    const canvas = h("canvas", { class: "ch-strip", role: "img", "aria-label": `${name}: ${vectorInWords(values)}` });
    paintCells(sharp(canvas, columns * cellWidth, rows * cellHeight), values, [0, 0], columns, cell, max, colours);
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      const i = Math.floor(offsetY / cellHeight) * columns + Math.floor(offsetX / cellWidth);
      if (i >= 0 && i < values.length) onPoint(`${name}, entry ${i + 1} of ${values.length}: ${number(values[i], 3)}`);
    });
    return canvas;
  }
  // Where each token looks, in one head: a triangle of weights, the row of the chosen token framed.
  function paintTriangle(canvas, size, A, first, chosen, colours) {
    const context = sharp(canvas, size, size), count = A.length - first, cell = size / count;
    context.fillStyle = colours.weight;
    for (let i = 0; i < count; i++)
      for (let j = 0; j <= i; j++) {
        context.globalAlpha = 0.07 + 0.93 * A[first + i][first + j];
        context.fillRect(j * cell, i * cell, cell - 0.4, cell - 0.4);
      }
    context.globalAlpha = 1;
    context.strokeStyle = colours.query;
    context.strokeRect(0.5, Math.max(0.5, (chosen - first) * cell), size - 1, Math.max(2, cell - 0.5));
  }

  return { themeColours: colours, largest, paintCells, sharp, strip, paintTriangle };
})());
