// How far does information travel? Four layers between the same tokens, and the path from one token to another.
const { s, counted } = kit;
const KINDS = ["fully connected", "convolution", "recurrent", "attention"];
const TRAITS = ["kind", "n", "window", "start", "end", "width"];

function compute({ kind, n, window, start, end, width }) {
  const from = Math.min(start, n), to = Math.min(end, n), away = Math.abs(to - from), reach = (window - 1) / 2;
  const parameters = width ** 2 * [n ** 2, window, 2, 4][kind];
  let path = [[from, 0], [to, 1]];
  if (kind === 1) {
    const layers = Math.max(1, Math.ceil(away / reach));
    path = Array.from({ length: layers + 1 }, (_, layer) => [from + Math.sign(to - from) * Math.min(layer * reach, away), layer]);
  } else if (kind === 2) {
    path = to < from ? [] : [[from, 0], ...Array.from({ length: away + 1 }, (_, step) => [from + step, 1])];
  }
  return { path, length: Math.max(path.length - 1, 0), parameters };
}

function words({ kind, n, window, start, end, width }, { length, parameters }) {
  const way = `from token ${Math.min(start, n)} to position ${Math.min(end, n)} of ${n}`;
  const unit = kind === 2 ? "step" : "layer", far = `${length} ${unit}${length === 1 ? "" : "s"}`;
  const name = ["Fully connected", `Convolution, window ${window}`, "Recurrent", "Attention"][kind];
  const found = length ? `${way} it takes ${far}` : `there is no path ${way}, because this layer reads from left to right`;
  const grows = kind === 0 ? ", and more with every further token" : " for any number of tokens";
  return `${name}: ${found}. A layer of width ${width} has ${counted(parameters)} parameters${grows}.`;
}

// ---- Drawing ----------------------------------------------------------------------------------------------
// Which places of the row below (or, in the recurrent layer, of the same row) feed place `to`.
function feeds(kind, n, reach, to) {
  const all = Array.from({ length: n }, (_, i) => i + 1);
  if (kind === 1) return all.filter((from) => Math.abs(from - to) <= reach);
  return kind === 2 ? [to] : all;
}

function drawn(sizes, found, wide) {
  const { kind, n, window, start, end } = sizes, from = Math.min(start, n), to = Math.min(end, n);
  const rows = kind === 1 ? found.length : 1, step = Math.min(80, 300 / rows), high = rows * step + 84;
  const x = (place) => 24 + ((wide - 48) * (place - 0.5)) / n, y = (row) => high - 42 - row * step;
  const line = (a, b, bold) => s("line", { x1: x(a[0]), y1: y(a[1]), x2: x(b[0]), y2: y(b[1]),
    stroke: bold ? "var(--ch-weight)" : "var(--ch-soft)", "stroke-width": bold ? 4 : 1, "stroke-opacity": bold ? 1 : 0.45,
    "stroke-linecap": "round" });
  const parts = [];
  for (let row = 1; row <= rows; row++)
    for (let place = 1; place <= n; place++) {
      feeds(kind, n, (window - 1) / 2, place).forEach((below) => parts.push(line([below, row - 1], [place, row])));
      if (kind === 2 && place > 1) parts.push(line([place - 1, 1], [place, 1]));
    }
  found.path.slice(1).forEach((point, i) => parts.push(line(found.path[i], point, true)));
  for (let row = 0; row <= rows; row++)
    for (let place = 1; place <= n; place++) {
      const on = found.path.some(([p, r]) => p === place && r === row) || (row === 0 ? place === from : row === rows && place === to);
      parts.push(s("circle", { cx: x(place), cy: y(row), r: on ? 8 : 5, stroke: "var(--ch-ground)", "stroke-width": 1.5,
        fill: on ? "var(--ch-weight)" : "var(--ch-soft)" }));
    }
  for (let place = 1; place <= n; place++)
    parts.push(s("text", { x: x(place), y: y(0) + 28, "text-anchor": "middle", class: place === from ? "ch-strong" : "ch-small", text: place }));
  parts.push(s("text", { x: x(to), y: y(rows) - 18, "text-anchor": "middle", class: "ch-strong", text: to }));
  return kit.drawing(wide, high, words(sizes, found), parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "The path of information through a layer");
  const whole = (x) => String(x);
  const sizes = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  figure.choice("kind", "Layer", KINDS);
  const ends = ["start", "end"].map((trait, i) =>
    figure.slider(trait, { label: ["from token", "to position"][i], min: 1, max: 16, step: 1, show: (x) => whole(Math.min(x, model.get("n"))) }));
  figure.slider("n", { label: "tokens n", min: 2, max: 16, step: 1, show: whole });
  const width = figure.slider("window", { label: "window", min: 3, max: 9, step: 2, show: whole }).parentElement;
  const map = kit.h("div", {});
  figure.picture.append(map, kit.h("p", { class: "ch-caption", style: "margin-top:0.3rem",
    text: "Bottom row: the input tokens. Top row: the outputs. Thin lines: all connections. Thick lines: the path." }));
  const paint = () => {
    const now = sizes(), found = compute(now);
    width.style.display = now.kind === 1 ? "" : "none";
    // A position after the last token cannot be chosen: the sliders end where the tokens end.
    ends.forEach((input, i) => {
      input.max = now.n;
      input.value = Math.min(i ? now.end : now.start, now.n);
      input.parentElement.querySelector("output").textContent = input.value;
      input.setAttribute("aria-valuetext", input.value);
    });
    map.replaceChildren(drawn(now, found, Math.min(640, map.clientWidth || 640)));
    figure.say(words(now, found));
  };
  figure.draw(TRAITS, paint);
  figure.fit(map, paint);
  return figure.stop;
}

export default { render, compute };
