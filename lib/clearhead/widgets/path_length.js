// How far does information travel? Four layers between the same tokens, and the path from one token to another.
const { s, counted } = kit;
const KINDS = ["fully connected", "convolution", "recurrent", "attention"];
const TRAITS = ["kind", "n", "window", "start", "end", "width"];

function compute({ kind, n, window, start, end, width }) {
  const from = Math.min(start, n), to = Math.min(end, n), distance = Math.abs(to - from), reach = (window - 1) / 2;
  const parameters = width ** 2 * [n ** 2, window, 2, 4][kind];
  let path = [[from, 0], [to, 1]];
  if (kind === 1) {
    const layers = Math.max(1, Math.ceil(distance / reach));
    path = Array.from({ length: layers + 1 }, (_, layer) => [from + Math.sign(to - from) * Math.min(layer * reach, distance), layer]);
  } else if (kind === 2) {
    path = to < from ? [] : [[from, 0], ...Array.from({ length: distance + 1 }, (_, step) => [from + step, 1])];
  }
  return { path, length: Math.max(path.length - 1, 0), parameters };
}

function words({ kind, n, window, start, end, width }, { length, parameters }) {
  const route = `from token ${Math.min(start, n)} to position ${Math.min(end, n)} of ${n}`;
  const unit = kind === 2 ? "step" : "layer", distanceText = `${length} ${unit}${length === 1 ? "" : "s"}`;
  const name = ["Fully connected", `Convolution, window ${window}`, "Recurrent", "Attention"][kind];
  const sentence = length ? `${route} it takes ${distanceText}` : `there is no path ${route}, because this layer reads from left to right`;
  const grows = kind === 0 ? ", and more with every further token" : " for any number of tokens";
  return `${name}: ${sentence}. A layer of width ${width} has ${counted(parameters)} parameters${grows}.`;
}

// ---- Drawing ----------------------------------------------------------------------------------------------
// Which places of the row below (or, in the recurrent layer, of the same row) feed place `to`.
function sourcesOf(kind, n, reach, to) {
  const all = Array.from({ length: n }, (_, i) => i + 1);
  if (kind === 1) return all.filter((from) => Math.abs(from - to) <= reach);
  return kind === 2 ? [to] : all;
}

function diagram(sizes, computed, wide) {
  const { kind, n, window, start, end } = sizes, from = Math.min(start, n), to = Math.min(end, n);
  const rows = kind === 1 ? computed.length : 1, step = Math.min(80, 300 / rows), high = rows * step + 84;
  const x = (position) => 24 + ((wide - 48) * (position - 0.5)) / n, y = (row) => high - 42 - row * step;
  const line = (a, b, bold) => s("line", { x1: x(a[0]), y1: y(a[1]), x2: x(b[0]), y2: y(b[1]),
    stroke: bold ? "var(--ch-weight)" : "var(--ch-soft)", "stroke-width": bold ? 4 : 1, "stroke-opacity": bold ? 1 : 0.45,
    "stroke-linecap": "round" });
  const parts = [];
  for (let row = 1; row <= rows; row++)
    for (let position = 1; position <= n; position++) {
      sourcesOf(kind, n, (window - 1) / 2, position).forEach((below) => parts.push(line([below, row - 1], [position, row])));
      if (kind === 2 && position > 1) parts.push(line([position - 1, 1], [position, 1]));
    }
  computed.path.slice(1).forEach((point, i) => parts.push(line(computed.path[i], point, true)));
  for (let row = 0; row <= rows; row++)
    for (let position = 1; position <= n; position++) {
      const on = computed.path.some(([p, r]) => p === position && r === row) || (row === 0 ? position === from : row === rows && position === to);
      parts.push(s("circle", { cx: x(position), cy: y(row), r: on ? 8 : 5, stroke: "var(--ch-ground)", "stroke-width": 1.5,
        fill: on ? "var(--ch-weight)" : "var(--ch-soft)" }));
    }
  for (let position = 1; position <= n; position++)
    parts.push(s("text", { x: x(position), y: y(0) + 28, "text-anchor": "middle", class: position === from ? "ch-strong" : "ch-small", text: position }));
  parts.push(s("text", { x: x(to), y: y(rows) - 18, "text-anchor": "middle", class: "ch-strong", text: to }));
  return kit.drawing(wide, high, words(sizes, computed), parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "The path of information through a layer");
  const asText = (x) => String(x);
  const sizes = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  figure.choice("kind", "Layer", KINDS);
  const ends = ["start", "end"].map((trait, i) =>
    figure.slider(trait, { label: ["from token", "to position"][i], min: 1, max: 16, step: 1, show: (x) => asText(Math.min(x, model.get("n"))) }));
  figure.slider("n", { label: "tokens n", min: 2, max: 16, step: 1, show: asText });
  const width = figure.slider("window", { label: "window", min: 3, max: 9, step: 2, show: asText }).parentElement;
  const map = kit.h("div", {});
  figure.picture.append(map, kit.h("p", { class: "ch-caption", style: "margin-top:0.3rem",
    text: "Bottom row: the input tokens. Top row: the outputs. Thin lines: all connections. Thick lines: the path." }));
  const paint = () => {
    const now = sizes(), computed = compute(now);
    width.style.display = now.kind === 1 ? "" : "none";
    // A position after the last token cannot be chosen: the sliders end where the tokens end.
    ends.forEach((input, i) => {
      input.max = now.n;
      input.value = Math.min(i ? now.end : now.start, now.n);
      input.parentElement.querySelector("output").textContent = input.value;
      input.setAttribute("aria-valuetext", input.value);
    });
    map.replaceChildren(diagram(now, computed, Math.min(640, map.clientWidth || 640)));
    figure.setStatus(words(now, computed));
  };
  figure.draw(TRAITS, paint);
  figure.onResize(map, paint);
  return figure.dispose;
}

export default { render, compute };
