// Positional encodings: choose a position, and see how similar it is to the others, with sine and cosine, a common mistake, or rotary.
const { h, s, number } = kit;
const NAMES = ["Sine and cosine", "One frequency per column, a common mistake", "Rotary"];
const FARTHEST = 15, ROW = 9, LEFT = 4, TOP = 30;
// How wide a cell and all of it is, and where the curve begins: as wide as there is room on a desk or a phone.
let CELL, MIDDLE, WIDTH;
const setSizes = () => { [CELL, MIDDLE, WIDTH] = kit.narrow() ? [10, 206, 360] : [20, 390, 640]; };

const speed = (pair, columns) => 10000 ** ((-2 * pair) / columns);
// Sine in even columns, cosine in odd ones. The common mistake gives each column a speed of its own.
function encodingOf(t, d_model, mistake) {
  return Array.from({ length: d_model }, (_, c) => {
    const angle = t * (mistake ? speed(c / 2, d_model) : speed(Math.floor(c / 2), d_model));
    return c % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}
function rotated(x, t) {
  return x.map((_, c) => {
    const angle = t * speed(Math.floor(c / 2), x.length), [a, b] = c % 2 ? [x[c], x[c - 1]] : [x[c], -x[c + 1]];
    return a * Math.cos(angle) + b * Math.sin(angle);
  });
}

function compute({ view, position, offset, length, d_model, q, k }) {
  const positions = Array.from({ length }, (_, t) => t), rotary = view === 2;
  const code = positions.map((t) => (rotary ? rotated(k, t) : encodingOf(t, d_model, view === 1)));
  const queryVectors = rotary ? positions.map((t) => rotated(q, t)) : code;
  return {
    code,
    query_vectors: queryVectors[position],
    similarity: code.map((row) => kit.dot(row, queryVectors[position])),
    same_offset: positions.slice(0, length - offset).map((t) => kit.dot(queryVectors[t], code[t + offset])),
  };
}

// The angle from one hand to another, in degrees between −180 and 180.
function between([a, b], [c, d]) {
  return (Math.atan2(a * d - b * c, a * c + b * d) * 180) / Math.PI;
}

function words({ view, position, offset }, { code, query_vectors: queryVectors, similarity, same_offset }) {
  const other = position + offset, value = number(similarity[other]);
  const range = `Over all pairs ${offset} apart, it ranges from ${number(Math.min(...same_offset))} to ${number(Math.max(...same_offset))}.`;
  if (view < 2)
    return `${NAMES[view]}: the encodings of positions ${position} and ${other} have the dot product ${value}. ${range} ` +
      `The squared norm of encoding ${position} is ${number(kit.dot(queryVectors, queryVectors))}.`;
  return `${NAMES[view]}: a query at position ${position} and a key at position ${other} have the score ${value}. ${range} ` +
    `The angle from the first hand of the query to that of the key is ${number(between(queryVectors, code[other]), 0)}°.`;
}

const rowAt = (t) => TOP + t * ROW;
const frame = (t, columns, kind) => s("rect", { x: LEFT - 1.5, y: rowAt(t) - 1, width: columns * CELL + 3, height: ROW + 2,
  rx: 2, class: kind + " ch-stroke", style: "fill:none" });

// The table of the encoding: faint is −1, strong is 1.
function table(code, position, other) {
  const columns = code[0].length;
  return [
    s("text", { x: LEFT, y: TOP - 10, class: "ch-small", text: "columns, fast to slow →" }),
    code.map((row, t) => row.map((value, c) => s("rect", { x: LEFT + c * CELL, y: rowAt(t), width: CELL - 0.5, height: ROW - 0.5,
      class: "ch-weight", style: "stroke:none", "fill-opacity": (0.6 * (value + 1)) / 2 }))),
    frame(other, columns, "ch-key"), frame(position, columns, "ch-query")];
}

// One dial per pair of columns: the hand of the query, the hand of the key.
// A hand turns from its old to its new angle, the shorter way round.
function clockDials(queryVectors, key, before) {
  const longest = Math.max(...queryVectors.concat(key).map(Math.abs)) * 1.2, pairs = queryVectors.length / 2;
  return Array.from({ length: pairs }, (_, pair) => {
    const x = MIDDLE * (0.21 + 0.45 * (pair % 2)), y = TOP + 105 + 130 * Math.floor(pair / 2), radius = 38;
    const handLine = (vector, old, kind) => {
      const [a, b] = [vector[2 * pair], vector[2 * pair + 1]], tip = [x + (a * radius) / longest, y - (b * radius) / longest];
      const from = old ? between([a, b], [old[2 * pair], old[2 * pair + 1]]) : 0;
      return s("g", { class: "ch-turning", style: `transform-origin:${x}px ${y}px;--from:${-from}deg` },
        s("line", { x1: x, y1: y, x2: tip[0], y2: tip[1], class: kind + " ch-stroke" }),
        s("circle", { cx: tip[0], cy: tip[1], r: 4.5, class: kind }));
    };
    return [s("circle", { cx: x, cy: y, r: radius + 4, class: "ch-axis", style: "fill:none" }),
      s("text", { x, y: y + radius + 20, "text-anchor": "middle", class: "ch-small", text: `ω = ${speed(pair, queryVectors.length)}` }),
      handLine(key, before?.key, "ch-key"), handLine(queryVectors, before?.query_vectors, "ch-query")];
  });
}

// How similar each position is, along the same rows: more similar is further to the right.
function curve({ view, position, offset, q, k, d_model }, similarity) {
  const bound = view < 2 ? 0.75 * d_model : Math.max(1e-9, Math.sqrt(kit.dot(q, q) * kit.dot(k, k)));
  const low = view < 2 ? -bound / 4 : -bound, other = position + offset;
  const x = (value) => MIDDLE + ((value - low) / (bound - low)) * (WIDTH - 12 - MIDDLE), y = (t) => rowAt(t) + ROW / 2;
  const last = rowAt(similarity.length), ticks = view < 2 ? [0, d_model / 2] : [0];
  const dot = (t, kind) => s("circle", { cx: x(similarity[t]), cy: y(t), r: 5.5, class: kind });
  return [
    s("text", { x: WIDTH - 6, y: 12, "text-anchor": "end", class: "ch-small", text: view < 2 ? "dot product →" : "score →" }),
    ticks.map((tick) => [s("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: last, class: "ch-axis" }),
      s("text", { x: x(tick), y: TOP - 4, "text-anchor": "middle", class: "ch-small", text: number(tick, 0) })]),
    similarity.map((_, t) => t % 5 === 0 && s("text", { x: MIDDLE - 8, y: y(t) + 4, "text-anchor": "end", class: "ch-small", text: t })),
    s("polyline", { points: similarity.map((value, t) => `${x(value)},${y(t)}`).join(" "), class: "ch-weight ch-stroke", style: "fill:none" }),
    dot(other, "ch-key"), dot(position, "ch-query")];
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Positional encodings: choose a position");
  figure.choice("view", "Code", ["sine and cosine", "one frequency per column (a common mistake)", "rotary"]);
  figure.slider("position", { label: "position", min: 0, max: model.get("length") - 1 - FARTHEST, step: 1, show: String });
  figure.slider("offset", { label: "offset", min: 0, max: FARTHEST, step: 1, show: String });
  const caption = h("p", { class: "ch-caption" }), holder = h("div", {});
  figure.picture.append(caption, holder);
  // A click on a row chooses its position, where both positions still fit.
  holder.addEventListener("click", (event) => {
    const box = holder.firstChild.getBoundingClientRect(), zoom = WIDTH / box.width;
    const row = Math.floor(((event.clientY - box.top) * zoom - TOP) / ROW);
    if (row >= 0 && row < model.get("length") - FARTHEST) figure.set("position", row);
  });
  const traits = ["view", "position", "offset", "length", "d_model", "q", "k"];
  let before;
  figure.draw(traits, () => {
    const inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)]));
    const computed = compute(inputs), label = words(inputs, computed), other = inputs.position + inputs.offset;
    caption.textContent = inputs.view < 2
      ? "Left: the encoding, one row per position; faint is −1, strong is 1. Right: its dot product with the code of the blue row."
      : "Left: four pairs of columns, each with the hand of the query (blue) and of the key (orange). " +
        "Right: the score of the blue query with the key at each position.";
    setSizes();
    const left = inputs.view < 2 ? table(computed.code, inputs.position, other) : clockDials(computed.query_vectors, computed.code[other], before);
    before = inputs.view < 2 ? undefined : { query_vectors: computed.query_vectors, key: computed.code[other] };
    holder.replaceChildren(kit.drawing(WIDTH, rowAt(inputs.length) + 8, label, left, curve(inputs, computed.similarity)));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
