// Inside one token: its alternatives, what each block would have predicted, and where every head attended.
(globalThis.talk ??= {}).inspect = (panel, request, { h, button, percent, visible }) => {
  const bar = (p) => h("span", { class: "talk-bar", style: `--p:${p.toFixed(4)}` });
  let selectedHead;

  // A token with a space before it is another one than without.
  const withLeadingSpace = (text) => (/^ \S/.test(text) ? `␣${visible(text)}` : visible(text));

  function choices(tokens, position, details, replace) {
    const token = tokens[position], list = h("ul", { class: "talk-choices" });
    for (const each of details.best) {
      const isCurrent = each.id === token.id, choice = button(withLeadingSpace(each.text), () => replace(position, { ...each, special: false }));
      choice.disabled = isCurrent;
      choice.setAttribute("aria-label", `${visible(each.text)}${each.text.startsWith(" ") ? "" : " without a space before it"}, ${percent(each.p)}${isCurrent ? ", the present token" : ""}`);
      list.append(h("li", {}, choice, bar(each.p), h("span", { text: percent(each.p) })));
    }
    return h("div", {}, h("h3", { text: `Alternatives to “${visible(token.text)}” (${percent(details.p)})` }),
      h("p", { class: "talk-note", text: "The ten most probable tokens. If you choose another one, the text is cut here and continues with it." }), list);
  }

  function lens(details) {
    const rows = details.lens.map((best, layer) => h("tr", {}, h("th", { scope: "row", text: layer }),
      h("td", {}, bar(best[0].p), h("span", { text: ` ${percent(best[0].p)}` })), ...best.map((each) => h("td", { text: visible(each.text) }))));
    const headerRow = h("tr", {}, ...["blocks", "probability", "first", "second", "third"].map((text) => h("th", { scope: "col", text })));
    return h("div", {}, h("h3", { text: "The logit lens" }),
      h("p", { class: "talk-note", text: "What the model would predict here if it stopped after this many blocks; 0 is before the first block." }),
      h("div", { class: "talk-scroll", tabindex: 0, role: "region", "aria-label": "The logit lens, block by block" },
        h("table", {}, h("thead", {}, headerRow), h("tbody", {}, ...rows))));
  }

  // A small map of every head: the darker, the more it attends to one token other than the first.
  const strongestWeight = (row) => row.slice(1).reduce((max, weight) => Math.max(max, weight), 0);
  function heads(tokens, position, details, highlight) {
    const L = details.heads.length, H = details.heads[0].length, grid = h("div", { class: "talk-heads", role: "grid", "aria-label": "Every head of every block", style: `--heads:${H}` });
    const caption = h("p", { class: "talk-attention", role: "status" }), mapCanvas = h("canvas", { class: "talk-map", role: "img" });
    const number = (name, max) => h("input", { type: "number", id: `talk-${name}`, min: 0, max: max - 1 });
    const inputs = [number("block", L), number("head", H)];
    const cells = details.heads.map((row, layer) => row.map((each, headIndex) => h("span", { class: "talk-cell", role: "gridcell", tabindex: -1,
      "aria-label": `Layer ${layer}, head ${headIndex}, ${percent(strongestWeight(each))}`, style: `--attention:${strongestWeight(each).toFixed(3)}` })));
    cells.forEach((row, layer) => grid.append(h("div", { role: "row" }, h("span", { class: "talk-row-name", role: "rowheader", text: layer }), ...row)));
    let latestRequest = 0;
    async function show() {
      const [layer, headIndex] = selectedHead, row = details.heads[layer][headIndex], order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 5), thisRequest = ++latestRequest;
      cells.flat().forEach((cell) => {   // the chosen one is the stop of the Tab key
        cell.setAttribute("aria-selected", String(cell === cells[layer][headIndex]));
        cell.tabIndex = cell === cells[layer][headIndex] ? 0 : -1;
      });
      inputs.forEach((input, i) => { input.value = selectedHead[i]; });
      highlight(row);
      caption.textContent = `Head ${headIndex} of layer ${layer}, from “${visible(tokens[details.before].text)}”, attends to ` +
        `${order.map((t) => `“${visible(tokens[t].text)}” ${percent(row[t])}`).join(", ")}.`;
      const map = await request("map", { ids: tokens.map((token) => token.id), layer, head: headIndex });
      if (thisRequest === latestRequest) draw(mapCanvas, map, `Attention of head ${headIndex} of layer ${layer}: one row for each of ${map.length} tokens, one column for each token up to it.`);
    }
    inputs.forEach((input, i) => input.addEventListener("change", () => {
      const max = i ? H : L;
      selectedHead[i] = Math.min(max - 1, Math.max(0, Math.round(Number(input.value)) || 0));
      show();
    }));
    const coordinatesOf = (cell) => { const layer = cells.findIndex((row) => row.includes(cell)); return [layer, layer < 0 ? -1 : cells[layer].indexOf(cell)]; };
    const choose = (layer, headIndex) => { selectedHead = [layer, headIndex]; cells[layer][headIndex].focus(); show(); };
    grid.addEventListener("click", ({ target }) => { const [layer, headIndex] = coordinatesOf(target); if (layer >= 0) choose(layer, headIndex); });
    grid.addEventListener("keydown", (event) => {
      const [layer, headIndex] = coordinatesOf(event.target), to = { ArrowRight: [layer, headIndex + 1], ArrowLeft: [layer, headIndex - 1], ArrowDown: [layer + 1, headIndex],
        ArrowUp: [layer - 1, headIndex], Home: [event.ctrlKey ? 0 : layer, 0], End: [event.ctrlKey ? L - 1 : layer, H - 1] }[event.key];
      if (layer < 0 || !to) return;
      event.preventDefault();
      if (cells[to[0]]?.[to[1]]) choose(...to);
    });
    const strongest = details.heads.flatMap((row, layer) => row.map((each, headIndex) => [strongestWeight(each), layer, headIndex])).sort((a, b) => b[0] - a[0]);
    selectedHead ??= strongest[0].slice(1);
    show();
    return h("div", {}, h("h3", { text: `All ${L * H} heads, when this token was predicted` }),
      h("p", { class: "talk-note", text: "One row per block and one cell per head, both counted from 0 as in chapter 17. The stronger the colour, the more a head attends to one token other than the first. Choose a head, by mouse or by the arrow keys: the tokens above that it attends to are tinted." }),
      h("div", { class: "talk-row" }, h("label", { for: "talk-block", text: "Block" }), inputs[0], h("label", { for: "talk-head", text: "Head" }), inputs[1]),
      h("div", { class: "talk-columns" }, grid, h("div", {}, mapCanvas, caption)));
  }

  function draw(canvas, map, label) {
    const T = map.length, ink = getComputedStyle(canvas).color.match(/[\d.]+/g).map(Number), context = canvas.getContext("2d");
    canvas.width = canvas.height = T;
    canvas.setAttribute("aria-label", label);
    const image = context.createImageData(T, T);
    map.forEach((row, i) => row.forEach((weight, j) => image.data.set([...ink.slice(0, 3), 255 * Math.sqrt(weight)], (i * T + j) * 4)));
    context.putImageData(image, 0, 0);
  }

  return async (tokens, position, { highlight, replace }) => {
    const details = await request("inspect", { ids: tokens.map((token) => token.id), position });
    panel.replaceChildren(
      h("div", { class: "talk-row" }, h("h2", { text: `Inside “${visible(tokens[position].text)}”` }),
        button("Close", () => { panel.hidden = true; highlight(null); })),
      choices(tokens, position, details, replace), lens(details), heads(tokens, position, details, highlight));
    panel.hidden = false;
    panel.focus({ preventScroll: true });
  };
};
