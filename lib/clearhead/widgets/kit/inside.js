// The inside of a GPT, drawn: its tokens, where every head looks, and the residual stream of one token.
Object.assign(kit, (() => {
  const { h, s, number, unique, drawing } = kit;
  const CELL = 13, LEFT = 60, GAP = 5;   // of the grid of heads, in pixels

  // Tokens to choose from: at most `most` radio buttons, kept from one drawing to the next.
  function tokenRow(most, legend, choose) {
    const row = h("fieldset", { class: "ch-tokens" }, h("legend", { class: "ch-caption", text: legend })), name = unique();
    const made = Array.from({ length: most }, (_, i) => {
      const input = h("input", { type: "radio", name, id: unique() }), label = h("label", { for: input.id });
      const option = h("span", { class: "ch-option" }, input, label);
      input.addEventListener("change", () => choose(i));
      option.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") choose(i); });
      return { option, input, label };
    });
    function show(tokens, weights, chosen) {
      made.forEach(({ option, input, label }, i) => {
        if (i >= tokens.length) return option.remove();
        if (!option.isConnected) row.append(option);
        label.textContent = tokens[i];
        label.style.setProperty("--weight", (weights[i] ?? 0).toFixed(3));
        input.checked = i === chosen;
      });
    }
    return { row, show };
  }

  // Every head as a row of squares, one for each token shown; the first square is for all tokens before them.
  function headGrid(layers, heads, most, choose) {
    const top = (layer, head) => layer * (heads * CELL + GAP) + head * CELL, cells = [];
    const width = LEFT + (most + 1) * CELL + 4, svg = drawing(width, top(layers, 0), "");
    for (let layer = 0; layer < layers; layer++) {
      svg.append(s("text", { x: 0, y: top(layer, heads / 2) + 5, text: `layer ${layer + 1}` }));
      for (let head = 0; head < heads; head++) {
        const squares = Array.from({ length: most + 1 }, (_, j) => s("rect", { x: LEFT + j * CELL + (j ? 2 : 0),
          y: top(layer, head) + 1, width: CELL - 1, height: CELL - 1, class: "ch-cell" }));
        squares.forEach((square) => square.addEventListener("click", () => choose(layer, head)));
        svg.append(...squares);
        cells.push(squares);
      }
    }
    const frame = svg.appendChild(s("rect", { x: LEFT - 1.5, width: width - LEFT, height: CELL + 2, rx: 3, class: "ch-chosen" }));
    function show(weightsOf, first, { layer, head, token }) {
      svg.setAttribute("aria-label", `Where ${token} looks, in ${layers} layers of ${heads} heads`);
      cells.forEach((squares, row) => {
        const weights = weightsOf(Math.floor(row / heads), row % heads);
        const earlier = weights.slice(0, first).reduce((a, b) => a + b, 0);
        squares.forEach((square, j) => {
          const tint = (j ? weights[first + j - 1] ?? 0 : earlier).toFixed(2);
          if (square.getAttribute("fill-opacity") !== tint) square.setAttribute("fill-opacity", tint);   // most stay as they are
        });
      });
      frame.setAttribute("y", top(layer, head) - 0.5);
    }
    return { svg, show };
  }

  // One row a layer: its numbers as strokes up and down, their length, and what the model would say already.
  function streamTable(names) {
    const rows = names.map((name) => {
      const path = s("path", { class: "ch-strokes" }), size = h("td", {}), guess = h("td", {});
      const strokes = s("svg", { viewBox: "0 0 128 20", preserveAspectRatio: "none", "aria-hidden": "true" }, path);
      return { path, size, guess, row: h("tr", {}, h("th", { scope: "row", text: name }), h("td", {}, strokes), size, guess) };
    });
    const heading = ["after", "its numbers", "length", "would say"].map((text) => h("th", { scope: "col", text }));
    const table = h("table", { class: "ch-table ch-stream" }, h("thead", {}, h("tr", {}, heading)), h("tbody", {}, rows.map(({ row }) => row)));
    function show(stream, guessOf) {
      rows.forEach(({ path, size, guess }, layer) => {
        const x = stream[layer], most = x.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9), step = 128 / x.length;
        path.setAttribute("d", Array.from(x, (each, i) => `M${((i + 0.5) * step).toFixed(1)},10v${((-10 * each) / most).toFixed(1)}`).join(""));
        size.textContent = number(Math.hypot(...x), 1);
        guess.textContent = guessOf(x);
      });
    }
    return { table, show };
  }

  return { tokenRow, headGrid, streamTable };
})());
