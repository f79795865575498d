// Which attention weights are computed, and the path from one token to another through several layers.
const { h, s, number } = kit;
const TRAITS = ["length", "causal", "window", "dilation", "num_global", "query", "target"];
const PRESETS = { // causal, window, dilation, global tokens
  Full: [false, 32, 1, 0], Causal: [true, 32, 1, 0], "Sliding window": [true, 4, 1, 0],
  Dilated: [true, 4, 2, 0], "Window and global tokens": [true, 4, 1, 2],
};

function compute({ length, causal, window, dilation, num_global, query: a, target: t }) {
  const positions = [...Array(length).keys()], query = Math.min(a, length), target = Math.min(t, length);
  const mask = positions.map((i) => positions.map((j) => {
    const distance = Math.abs(i - j), near = distance < window * dilation && distance % dilation === 0;
    return (near || i < num_global || j < num_global) && !(causal && j > i) ? 1 : 0;
  }));
  // Layer by layer: the receiving token gets information from all tokens that those reached so far may attend to.
  const layers = positions.map((j) => (j === query - 1 ? 0 : -1));
  for (let layer = 1; layer < length; layer++) {
    const known = positions.filter((i) => layers[i] >= 0);
    positions.forEach((j) => { if (layers[j] < 0 && known.some((i) => mask[i][j])) layers[j] = layer; });
  }
  const cells = mask.flat().reduce((sum, cell) => sum + cell, 0);
  return { mask, cells, layers, query, target, needed: layers[target - 1] };
}

function words({ length }, { cells, query, target, needed }) {
  const sentence = needed < 0 ? `No information from token ${target} can reach token ${query}.`
    : needed === 0 ? `Token ${query} has its own information without any layer.`
    : `Information from token ${target} reaches token ${query} after ${needed} ${needed === 1 ? "layer" : "layers"}.`;
  return `${cells} of ${length ** 2} cells are computed, ${number((100 * cells) / length ** 2, 1)} %. ${sentence}`;
}

// One row per query, one column per key.
function table({ mask, query, target }, label) {
  const n = mask.length, cell = Math.floor(282 / n), left = 30, top = 24, parts = [];
  const every = n > 16 ? 4 : 2;
  mask.forEach((row, i) => {
    if (i % every === 0 || i === query - 1) parts.push(s("text", { x: left - 6, y: top + (i + 0.5) * cell + 4, "text-anchor": "end",
      class: i === query - 1 ? "ch-query ch-strong" : "ch-small", style: "font-size:13px", text: i + 1 }));
    if (i % every === 0 || i === target - 1) parts.push(s("text", { x: left + (i + 0.5) * cell, y: top - 7, "text-anchor": "middle",
      class: i === target - 1 ? "ch-key ch-strong" : "ch-small", style: "font-size:13px", text: i + 1 }));
    row.forEach((isAllowed, j) => parts.push(s("rect", { x: left + j * cell, y: top + i * cell, width: cell - 1, height: cell - 1, class: "ch-cell",
      "stroke-width": 0.5, "fill-opacity": isAllowed ? 0.6 : 0.03 })));
  });
  parts.push(s("rect", { x: left - 1, y: top + (query - 1) * cell - 1, width: n * cell + 1, height: cell + 1, class: "ch-chosen" }));
  return kit.drawing(left + n * cell + 6, top + n * cell + 6, label, ...parts);
}

// One dot per token and one row per layer, from the bottom up: filled where information for the receiving token comes from.
function pathDiagram({ layers, query, target, needed }, label) {
  const n = layers.length, most = Math.max(...layers), step = Math.min(248 / n, 18), up = Math.min(30, 200 / Math.max(most, 1)), parts = [];
  const low = 16 + up * most, x = (j) => 62 + step * (j + 0.5), y = (layer) => low - up * layer;
  for (let layer = 0; layer <= most; layer++) {
    parts.push(s("text", { x: 54, y: y(layer) + 4, "text-anchor": "end", class: "ch-small", text: layer === 0 ? "input" : `layer ${layer}` }));
    layers.forEach((isReached, j) => {
      // Seen from the asking token at the top: after `most - layer` steps down it has reached these tokens.
      const known = isReached >= 0 && isReached <= most - layer;
      parts.push(s("circle", { cx: x(j), cy: y(layer), r: Math.min(step, up) / 2.6, class: known ? "ch-query" : "ch-plain", "fill-opacity": known ? 0.8 : 0.15 }));
    });
  }
  parts.push(s("text", { x: x(query - 1), y: 9, "text-anchor": "middle", class: "ch-query ch-strong", style: "font-size:13px", text: query }));
  parts.push(s("text", { x: x(target - 1), y: low + 18, "text-anchor": "middle", class: "ch-key ch-strong", style: "font-size:13px", text: target }));
  if (needed > 0) parts.push(s("circle", { cx: x(target - 1), cy: y(most - needed), r: Math.min(step, up) / 2.6 + 3, class: "ch-key ch-stroke", style: "fill:none" }));
  return kit.drawing(70 + step * n, low + 24, label, ...parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Patterns of attention");
  const chips = h("div", { class: "ch-choice", style: "grid-column:1/-1;gap:0.4rem", role: "group", "aria-label": "patterns" });
  const buttons = Object.entries(PRESETS).map(([name, values]) => {
    const sizes = Object.fromEntries(["causal", "window", "dilation", "num_global"].map((trait, i) => [trait, values[i]]));
    const press = figure.button(name, () => Object.entries(sizes).forEach(([trait, value]) => figure.set(trait, value)));
    chips.append(press);
    return [press, sizes];
  });
  figure.controls.append(chips);
  figure.toggle("causal", "causal: no token attends to later ones");
  figure.slider("length", { label: "tokens T", min: 4, max: 32, step: 1, show: String });
  figure.slider("window", { label: "window w", min: 1, max: 32, step: 1, show: (w) => (w >= model.get("length") ? "all" : String(w)) });
  figure.slider("dilation", { label: "dilation", min: 1, max: 4, step: 1, show: String });
  figure.slider("num_global", { label: "global tokens", min: 0, max: 8, step: 1, show: String });
  const sliders = [figure.slider("query", { label: "receiving token", min: 1, max: 32, step: 1, show: (i) => String(Math.min(i, model.get("length"))) }),
    figure.slider("target", { label: "source token", min: 1, max: 32, step: 1, show: (i) => String(Math.min(i, model.get("length"))) })];
  const panels = ["Cells that are computed: one row per query, one column per key", "Where the information of the receiving token comes from, layer by layer"].map((text) =>
    h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text }), h("div", {})));
  figure.picture.append(h("div", { class: "ch-panels" }, panels));
  figure.draw(TRAITS, () => {
    const sizes = Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])), computed = compute(sizes), label = words(sizes, computed);
    sliders.forEach((slider) => { slider.max = sizes.length; });
    [table, pathDiagram].forEach((draw, i) => panels[i].lastChild.replaceChildren(draw(computed, label)));
    buttons.forEach(([press, preset]) => {
      const same = Object.entries(preset).every(([trait, value]) => sizes[trait] === value);
      press.setAttribute("aria-pressed", same);
      press.style.borderWidth = same ? "3px" : "";
    });
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
