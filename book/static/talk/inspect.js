// Inside one token: its alternatives, what each block would have predicted, and where every head attended.
(globalThis.talk ??= {}).inspect = (panel, ask, { h, button, percent, visible }) => {
  const bar = (p) => h("span", { class: "talk-bar", style: `--p:${p.toFixed(4)}` });
  let head;

  // A token with a space before it is another one than without.
  const exact = (text) => (/^ \S/.test(text) ? `␣${visible(text)}` : visible(text));

  function choices(tokens, place, found, replace) {
    const now = tokens[place], list = h("ul", { class: "talk-choices" });
    for (const each of found.best) {
      const here = each.id === now.id, choice = button(exact(each.text), () => replace(place, { ...each, special: false }));
      choice.disabled = here;
      choice.setAttribute("aria-label", `${visible(each.text)}${each.text.startsWith(" ") ? "" : " without a space before it"}, ${percent(each.p)}${here ? ", the present token" : ""}`);
      list.append(h("li", {}, choice, bar(each.p), h("span", { text: percent(each.p) })));
    }
    return h("div", {}, h("h3", { text: `Alternatives to “${visible(now.text)}” (${percent(found.p)})` }),
      h("p", { class: "talk-note", text: "The ten most probable tokens. If you choose another one, the text is cut here and continues with it." }), list);
  }

  function lens(found) {
    const rows = found.lens.map((best, layer) => h("tr", {}, h("th", { scope: "row", text: layer }),
      h("td", {}, bar(best[0].p), h("span", { text: ` ${percent(best[0].p)}` })), ...best.map((each) => h("td", { text: visible(each.text) }))));
    const head = h("tr", {}, ...["blocks", "probability", "first", "second", "third"].map((text) => h("th", { scope: "col", text })));
    return h("div", {}, h("h3", { text: "The logit lens" }),
      h("p", { class: "talk-note", text: "What the model would predict here if it stopped after this many blocks; 0 is before the first block." }),
      h("div", { class: "talk-scroll", tabindex: 0, role: "region", "aria-label": "The logit lens, block by block" },
        h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))));
  }

  // A small map of every head: the darker, the more it attends to one token other than the first.
  const elsewhere = (row) => row.slice(1).reduce((most, share) => Math.max(most, share), 0);
  function heads(tokens, place, found, shade) {
    const L = found.heads.length, H = found.heads[0].length, grid = h("div", { class: "talk-heads", role: "grid", "aria-label": "Every head of every block", style: `--heads:${H}` });
    const words = h("p", { class: "talk-looks", role: "status" }), picture = h("canvas", { class: "talk-map", role: "img" });
    const number = (name, most) => h("input", { type: "number", id: `talk-${name}`, min: 0, max: most - 1 });
    const inputs = [number("block", L), number("head", H)];
    const cells = found.heads.map((row, layer) => row.map((each, own) => h("span", { class: "talk-cell", role: "gridcell", tabindex: -1,
      "aria-label": `Layer ${layer}, head ${own}, ${percent(elsewhere(each))}`, style: `--look:${elsewhere(each).toFixed(3)}` })));
    cells.forEach((row, layer) => grid.append(h("div", { role: "row" }, h("span", { class: "talk-name", role: "rowheader", text: layer }), ...row)));
    let asked = 0;
    async function show() {
      const [layer, own] = head, row = found.heads[layer][own], order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 5), mine = ++asked;
      cells.flat().forEach((cell) => {   // the chosen one is the stop of the Tab key
        cell.setAttribute("aria-selected", String(cell === cells[layer][own]));
        cell.tabIndex = cell === cells[layer][own] ? 0 : -1;
      });
      inputs.forEach((input, i) => { input.value = head[i]; });
      shade(row);
      words.textContent = `Head ${own} of layer ${layer}, from “${visible(tokens[found.before].text)}”, attends to ` +
        `${order.map((t) => `“${visible(tokens[t].text)}” ${percent(row[t])}`).join(", ")}.`;
      const map = await ask("map", { ids: tokens.map((token) => token.id), layer, head: own });
      if (mine === asked) draw(picture, map, `Attention of head ${own} of layer ${layer}: one row for each of ${map.length} tokens, one column for each token up to it.`);
    }
    inputs.forEach((input, i) => input.addEventListener("change", () => {
      const most = i ? H : L;
      head[i] = Math.min(most - 1, Math.max(0, Math.round(Number(input.value)) || 0));
      show();
    }));
    const placeOf = (cell) => { const layer = cells.findIndex((row) => row.includes(cell)); return [layer, layer < 0 ? -1 : cells[layer].indexOf(cell)]; };
    const choose = (layer, own) => { head = [layer, own]; cells[layer][own].focus(); show(); };
    grid.addEventListener("click", ({ target }) => { const [layer, own] = placeOf(target); if (layer >= 0) choose(layer, own); });
    grid.addEventListener("keydown", (event) => {
      const [layer, own] = placeOf(event.target), to = { ArrowRight: [layer, own + 1], ArrowLeft: [layer, own - 1], ArrowDown: [layer + 1, own],
        ArrowUp: [layer - 1, own], Home: [event.ctrlKey ? 0 : layer, 0], End: [event.ctrlKey ? L - 1 : layer, H - 1] }[event.key];
      if (layer < 0 || !to) return;
      event.preventDefault();
      if (cells[to[0]]?.[to[1]]) choose(...to);
    });
    const strongest = found.heads.flatMap((row, layer) => row.map((each, own) => [elsewhere(each), layer, own])).sort((a, b) => b[0] - a[0]);
    head ??= strongest[0].slice(1);
    show();
    return h("div", {}, h("h3", { text: `All ${L * H} heads, when this token was predicted` }),
      h("p", { class: "talk-note", text: "One row per block and one cell per head, both counted from 0 as in chapter 17. The stronger the colour, the more a head attends to one token other than the first. Choose a head, by mouse or by the arrow keys: the tokens above that it attends to are tinted." }),
      h("div", { class: "talk-row" }, h("label", { for: "talk-block", text: "Block" }), inputs[0], h("label", { for: "talk-head", text: "Head" }), inputs[1]),
      h("div", { class: "talk-both" }, grid, h("div", {}, picture, words)));
  }

  function draw(canvas, map, label) {
    const T = map.length, ink = getComputedStyle(canvas).color.match(/[\d.]+/g).map(Number), context = canvas.getContext("2d");
    canvas.width = canvas.height = T;
    canvas.setAttribute("aria-label", label);
    const image = context.createImageData(T, T);
    map.forEach((row, i) => row.forEach((share, j) => image.data.set([...ink.slice(0, 3), 255 * Math.sqrt(share)], (i * T + j) * 4)));
    context.putImageData(image, 0, 0);
  }

  return async (tokens, place, { shade, replace }) => {
    const found = await ask("look", { ids: tokens.map((token) => token.id), place });
    panel.replaceChildren(
      h("div", { class: "talk-row" }, h("h2", { text: `Inside “${visible(tokens[place].text)}”` }),
        button("Close", () => { panel.hidden = true; shade(null); })),
      choices(tokens, place, found, replace), lens(found), heads(tokens, place, found, shade));
    panel.hidden = false;
    panel.focus({ preventScroll: true });
  };
};
