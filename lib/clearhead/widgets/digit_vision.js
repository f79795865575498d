// Draw a digit: a small vision transformer reads it, at any of twenty checkpoints of its training.
const { h, s, number, quoted, matmul } = kit;
const NUM_POSITIONS = 17, WIDTH = 12, HEADS = 3, LAYERS = 2, SIDE = 8, CELL = 32, COUNT = 4198, ARRAYS = 40;

// ---- The model: the lines of clearhead.maths, on arrays of arrays ---------------------------------------
const decoded = new Map();
function unpacked(text) {
  if (!decoded.has(text)) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const moments = bytes.length / (COUNT + 4 * ARRAYS);
    decoded.set(text, { codes: new Int8Array(bytes.buffer, 0, moments * COUNT),
      scales: new Float32Array(bytes.buffer, moments * COUNT) });
  }
  return decoded.get(text);
}
// The weights of one checkpoint: code times scale, array after array in the order of `SHAPES` in Python.
function parameters(text, checkpoint) {
  const { codes, scales } = unpacked(text);
  let at = checkpoint * COUNT, array = checkpoint * ARRAYS;
  function next(rows, columns) {
    const scale = scales[array++];
    return Array.from({ length: rows }, () => Array.from({ length: columns }, () => scale * codes[at++]));
  }
  const linear = (rows, columns) => ({ weight: next(rows, columns), bias: next(1, columns)[0] });
  const norm = () => ({ gain: next(1, WIDTH)[0], bias: next(1, WIDTH)[0] });
  const block = () => ({ first: norm(), query: linear(WIDTH, WIDTH), key: linear(WIDTH, WIDTH), value: linear(WIDTH, WIDTH),
    output: linear(WIDTH, WIDTH), second: norm(), up: linear(WIDTH, 4 * WIDTH), down: linear(4 * WIDTH, WIDTH) });
  return { patches: linear(4, WIDTH), cls: next(1, WIDTH)[0], positions: next(NUM_POSITIONS, WIDTH),
    blocks: Array.from({ length: LAYERS }, block), norm: norm(), head: linear(WIDTH, 10) };
}
const linear = (x, { weight, bias }) => matmul(x, weight).map((row) => row.map((v, i) => v + bias[i]));
const plus = (a, b) => a.map((row, i) => row.map((v, j) => v + b[i][j]));
function layerNorm(x, { gain, bias }) {
  return x.map((row) => {
    const mean = row.reduce((a, b) => a + b, 0) / row.length;
    const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length;
    return row.map((v, i) => (gain[i] * (v - mean)) / Math.sqrt(variance + 1e-5) + bias[i]);
  });
}
// The error function by its series; past 5 it is 1 to more digits than a number holds.
function erf(x) {
  if (Math.abs(x) > 5) return Math.sign(x);
  let term = x, total = x;
  for (let n = 1; n < 120 && Math.abs(term) > 1e-17; n++) { term *= (-x * x) / n; total += term / (2 * n + 1); }
  return (2 / Math.sqrt(Math.PI)) * total;
}
const gelu = (x) => x.map((row) => row.map((v) => (v * (1 + erf(v / Math.SQRT2))) / 2));
function attended(x, block) {
  const [Q, K, V] = [block.query, block.key, block.value].map((map) => linear(x, map)), d = WIDTH / HEADS;
  const part = (array, head) => array.map((row) => row.slice(head * d, (head + 1) * d));
  const heads = Array.from({ length: HEADS }, (_, head) => kit.attention(part(Q, head), part(K, head), part(V, head)));
  return { A: heads.map((head) => head.weights), Z: linear(x.map((_, i) => heads.flatMap((head) => head.Z[i])), block.output) };
}
const patchesOf = (image) => Array.from({ length: 16 }, (_, n) =>
  [0, 1, 2, 3].map((k) => image[2 * (n >> 2) + (k >> 1)][2 * (n & 3) + (k & 1)]));

function compute({ image, checkpoint, weights }) {
  const model = parameters(weights, checkpoint), attention = [];
  let x = plus([model.cls, ...linear(patchesOf(image), model.patches)], model.positions), rollout;
  for (const block of model.blocks) {
    const { A, Z } = attended(layerNorm(x, block.first), block);
    x = plus(x, Z);
    x = plus(x, linear(gelu(linear(layerNorm(x, block.second), block.up)), block.down));
    const mixed = A[0].map((row, i) => row.map((_, j) => A.reduce((a, head) => a + head[i][j], 0) / HEADS / 2 + (i === j) / 2));
    rollout = rollout ? matmul(mixed, rollout) : mixed;
    attention.push(A.map((head) => head[0]));
  }
  const logits = linear(layerNorm(x.slice(0, 1), model.norm), model.head)[0];
  return { logits, probabilities: kit.softmax(logits), attention, rollout: rollout[0] };
}

// ---- Words and drawings --------------------------------------------------------------------------------
function words({ steps, accuracies, labels, preset, checkpoint, image }, { probabilities, rollout }) {
  const order = probabilities.map((_, v) => v).sort((a, b) => probabilities[b] - probabilities[a] || a - b);
  const [first, second] = order.map((v) => `${quoted(v)} (${number(probabilities[v])})`);
  const attended = rollout.slice(1), n = attended.indexOf(Math.max(...attended));
  return `After ${steps[checkpoint]} steps, the model classifies ${number(100 * accuracies[checkpoint], 0)} % of the test images correctly. ` +
    `For ${preset >= 0 ? `a handwritten ${labels[preset]}` : image.flat().some(Boolean) ? "your drawing" : "an empty canvas"} it predicts ${first}, then ${second}. ` +
    `Attention roll-out gives the largest weight to patch ${n + 1} (row ${(n >> 2) + 1}, column ${(n & 3) + 1}): ${number(attended[n])}.`;
}
// A map of 4 by 4 patches. The tint is relative to the strongest patch of the map.
function patchMap(values, title) {
  const [own, ...weights] = values, most = Math.max(...weights), side = 20;
  return h("div", {}, h("p", { class: "ch-caption", style: "margin:0", text: title }),
    kit.drawing(4 * side, 4 * side, `${title}: ` + weights.map((v) => number(v)).join(", "), ...weights.map((v, n) =>
      s("rect", { x: side * (n & 3) + 0.5, y: side * (n >> 2) + 0.5, width: side - 1, height: side - 1, class: "ch-cell",
        "fill-opacity": (0.9 * v) / most }))),
    h("p", { class: "ch-caption", style: "margin:0;text-align:center", text: `itself ${number(own)}` }));
}
function trainingCurve({ steps, losses, accuracies, checkpoint }) {
  const wide = 300, high = 110, x = (i) => 8 + (i * (wide - 16)) / (steps.length - 1), y = (v) => high - 8 - v * (high - 16);
  const line = (values, kind, dash) => s("polyline", { points: values.map((v, i) => `${x(i)},${y(v)}`).join(" "),
    class: `${kind} ch-stroke`, "stroke-dasharray": dash });
  const maxLoss = Math.max(...losses), at = checkpoint, dot = (v, kind) => s("circle", { cx: x(at), cy: y(v), r: 5, class: kind });
  return kit.drawing(wide, high + 18, `Loss ${number(losses[at])} and test accuracy ${number(accuracies[at])} after ${steps[at]} steps`,
    s("line", { x1: x(at), x2: x(at), y1: 0, y2: high, class: "ch-axis" }), line(losses.map((v) => v / maxLoss), "ch-key", "5 4"),
    line(accuracies, "ch-value"), dot(losses[at] / maxLoss, "ch-key"), dot(accuracies[at], "ch-value"),
    ...[0, Math.floor(steps.length / 2), steps.length - 1].map((i, k) => s("text", { x: x(i), y: high + 14, class: "ch-small",
      "text-anchor": ["start", "middle", "end"][k], text: k ? steps[i] : `${steps[i]} steps` })));
}
// The image as the model gets it: its patches in one row, one after the other.
function sentence(image) {
  return kit.drawing(304, 40, "The sixteen patches in one row, from left to right and top to bottom", ...patchesOf(image).flatMap((patch, n) => [
    ...patch.map((v, k) => s("rect", { x: 19 * n + 8 * (k & 1) + 1, y: 8 * (k >> 1) + 1, width: 8, height: 8, class: "ch-plain", "fill-opacity": v })),
    s("rect", { x: 19 * n + 1, y: 1, width: 16, height: 16, fill: "none", stroke: "var(--ch-query)" }),
    s("text", { x: 19 * n + 9, y: 34, "text-anchor": "middle", class: "ch-small", text: n + 1 })]));
}
// What the pen leaves: full ink in a square, a little in its neighbours; the eraser takes all of it away.
function drawStroke(image, r, c, eraser) {
  return image.map((row, i) => row.map((v, j) => {
    const distance = Math.abs(i - r) + Math.abs(j - c);
    if (eraser) return distance === 0 ? 0 : v;
    return distance === 0 ? 1 : distance === 1 ? Math.max(v, 0.35) : v;
  }));
}

// ---- The figure ----------------------------------------------------------------------------------------
function render({ model, el }) {
  const figure = kit.figure(model, el, "Draw a digit"), labels = model.get("labels"), steps = model.get("steps");
  const blank = () => Array.from({ length: SIDE }, () => Array(SIDE).fill(0));
  const currentImage = () => (model.get("preset") < 0 ? model.get("image") : model.get("digits")[model.get("preset")].map((row) => row.map((v) => v / 16)));
  const names = labels.map((label, i) => (i < 10 ? String(label) : `${i > 10 ? "another" : "a"} hard ${label}`));
  figure.choice("preset", "A digit from the test set", names);
  figure.slider("checkpoint", { label: "Training step", min: 0, max: steps.length - 1, step: 1, show: (i) => String(steps[i]) });
  const eraser = figure.toggle("eraser", "Eraser");
  function put(image) { model.set("image", image); figure.set("preset", -1); }
  figure.button("Clear", () => put(blank()));

  const cells = Array.from({ length: SIDE * SIDE }, (_, k) => s("rect", { x: CELL * (k % SIDE), y: CELL * (k >> 3),
    width: CELL, height: CELL, class: "ch-plain", stroke: "none" }));
  const lines = [0, 1, 2, 3, 4].flatMap((i) => [[2 * i * CELL, 0, 2 * i * CELL, 256], [0, 2 * i * CELL, 256, 2 * i * CELL]])
    .map(([x1, y1, x2, y2]) => s("line", { x1, y1, x2, y2, stroke: "var(--ch-query)", "stroke-width": 1.5 }));
  const paper = kit.drawing(256, 256, "", ...cells, ...lines);
  paper.setAttribute("style", "touch-action:none;cursor:crosshair;width:100%;border:1px solid var(--ch-edge)");
  const penHandle = h("button", { type: "button", class: "ch-handle",
    style: "width:12.5%;height:12.5%;margin:0;border-radius:3px;background:none;pointer-events:none" });
  const cursor = { r: 3, c: 3 };
  function followPen() {
    const ink = number(currentImage()[cursor.r][cursor.c]);
    Object.assign(penHandle.style, { left: `${12.5 * cursor.c}%`, top: `${12.5 * cursor.r}%` });
    penHandle.setAttribute("aria-label", `${model.get("eraser") ? "Eraser" : "Pen"} at row ${cursor.r + 1}, column ${cursor.c + 1}, ` +
      `ink ${ink}: the arrow keys move it, the space bar ${model.get("eraser") ? "erases" : "draws"}`);
  }
  const draw = () => put(drawStroke(currentImage(), cursor.r, cursor.c, model.get("eraser")));
  penHandle.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!move && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!move) return draw();
    cursor.r = Math.min(SIDE - 1, Math.max(0, cursor.r + move[0]));
    cursor.c = Math.min(SIDE - 1, Math.max(0, cursor.c + move[1]));
    followPen();
  });
  function paintAt(event) {
    const frame = paper.getBoundingClientRect();
    const cellIndex = (from, size, at) => Math.min(SIDE - 1, Math.max(0, Math.floor((SIDE * (at - from)) / size)));
    Object.assign(cursor, { r: cellIndex(frame.top, frame.height, event.clientY), c: cellIndex(frame.left, frame.width, event.clientX) });
    draw();
  }
  paper.addEventListener("pointerdown", (event) => { event.preventDefault(); paper.setPointerCapture(event.pointerId); paintAt(event); });
  paper.addEventListener("pointermove", (event) => { if (paper.hasPointerCapture(event.pointerId)) paintAt(event); });

  const caption = h("p", { class: "ch-caption" }), probabilities = h("div", {}), attentionMaps = h("div", { style: "display:grid;grid-template-columns:repeat(auto-fit,minmax(5.3rem,1fr));gap:0.8rem 0.5rem" });
  const trainingPlot = h("div", {}), strip = h("div", {}), training = h("p", { class: "ch-caption" });
  const panel = (title, ...parts) => h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: title }), ...parts);
  figure.picture.append(h("div", { class: "ch-panels" },
    h("div", { class: "ch-panel" }, caption, h("div", { class: "ch-pad", style: "max-width:256px" }, paper, penHandle)),
    panel("Prediction", probabilities), panel("The input sequence: sixteen patches", strip),
    h("div", { class: "ch-panel" }, training, trainingPlot)),
  h("p", { class: "ch-caption", style: "margin-top:0.9rem", text: "Where the class token attends, in each head and in the attention roll-out; below each map, its weight on itself" }), attentionMaps);
  const traits = ["image", "preset", "checkpoint", "eraser", "steps", "losses", "accuracies", "labels"];
  figure.draw(traits, () => {
    const state = Object.fromEntries(traits.map((name) => [name, model.get(name)])), image = currentImage();
    const computed = compute({ image, checkpoint: state.checkpoint, weights: model.get("weights") });
    cells.forEach((cell, k) => cell.setAttribute("fill-opacity", image[k >> 3][k % SIDE]));
    paper.setAttribute("aria-label", `8 by 8 squares, ${image.flat().filter((v) => v > 0.5).length} of them dark`);
    caption.textContent = state.eraser ? "Erase here with mouse, finger or keys" : "Draw here with mouse, finger or keys";
    followPen();
    probabilities.replaceChildren(kit.bars(computed.probabilities.map((_, v) => v), computed.probabilities));
    strip.replaceChildren(sentence(image));
    training.textContent = `Training: loss ${number(state.losses[state.checkpoint])} (dashed), test accuracy ${number(state.accuracies[state.checkpoint])}`;
    trainingPlot.replaceChildren(trainingCurve(state));
    attentionMaps.replaceChildren(...computed.attention.flatMap((heads, l) => heads.map((row, n) => patchMap(row, `layer ${l} head ${n}`))),
      patchMap(computed.rollout, "roll-out"));
    figure.setStatus(words(state, computed));
  });
  return figure.dispose;
}

export default { render, compute };
