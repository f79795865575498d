// Where each entry goes: view, transpose, attend, merge. Or a reshape that forgets to transpose.
const { h, s, number } = kit;
const STEPS = ["one row per token", "view", "transpose", "attend", "merge"];
// The two lines of code that each choice stands for.
const CODE = ["x.reshape(T, H, d).swapaxes(0, 1)", "z.swapaxes(0, 1).reshape(T, D)"];
const WRONG = ["x.reshape(H, T, d)", "z.reshape(T, D)"];
const RIGHT = 0, SPLIT_WRONG = 1, MERGE_WRONG = 2;
const CELL = [52, 26], LEFT = 92, TOP = 24, TITLE = 24, GAP = 10;

const table = (rows, columns, fill) => Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => fill(i, j)));
const divisors = (D) => Array.from({ length: D }, (_, i) => i + 1).filter((H) => D % H === 0);

// Cell k of the array, read row by row: its token and column, its place (head, row, column) after the split,
// and its place (row, column) after the merge.
function cellOf(k, T, D, H, bug) {
  const d = D / H, token = Math.floor(k / D), column = k % D;
  const [head, row] = bug === SPLIT_WRONG ? [Math.floor(k / (T * d)), Math.floor(k / d) % T] : [Math.floor(column / d), token];
  const c = k % d, flat = (head * T + row) * d + c;
  const [at, to] = bug === MERGE_WRONG ? [Math.floor(flat / D), flat % D] : [row, head * d + c];
  return { token, column, head, row, c, at, to };
}

function compute({ Q, K, V, num_heads, bug }) {
  const T = V.length, D = V[0].length, d = D / num_heads;
  const cells = Array.from({ length: T * D }, (_, k) => cellOf(k, T, D, num_heads, bug));
  function split(array) {
    const heads = Array.from({ length: num_heads }, () => table(T, d, () => 0));
    cells.forEach(({ token, column, head, row, c }) => { heads[head][row][c] = array[token][column]; });
    return heads;
  }
  const [queries, keys, values] = [Q, K, V].map(split);
  const computed = queries.map((query, head) => kit.attention(query, keys[head], values[head]));
  const mixed = computed.map((one) => one.Z), merged = table(T, D, () => 0), owner = table(T, D, () => 0);
  cells.forEach(({ token, head, row, c, at, to }) => { merged[at][to] = mixed[head][row][c]; owner[at][to] = token; });
  return { split: values, weights: computed.map((one) => one.weights), mixed, merged, owner,
    moved: cells.filter(({ token, at }) => token !== at).length };
}

function words({ V, num_heads: H, bug, step }, { moved }) {
  const T = V.length, D = V[0].length, all = T * D, heads = `(${H}, ${T}, ${D / H})`, tokens = `(${T}, ${D})`;
  const describeStrays = (isLost) => isLost && moved ? `${moved} of ${all} entries are in the row of another token.`
    : `All ${all} entries are in the row of their own token.`;
  const isLost = bug === SPLIT_WRONG;
  return [
    () => `Values, one row per token, shape ${tokens}. ${describeStrays(false)}`,
    () => `View: each row is cut into ${H === 1 ? "1 piece" : H + " pieces"}, shape (${T}, ${H}, ${D / H}). ${describeStrays(false)}`,
    () => `${isLost ? "No transpose, only a reshape" : "Transpose"}: one block per head, shape ${heads}. ${describeStrays(isLost)}`,
    () => `Attend: each head mixes its own rows, shape ${heads}. ${describeStrays(isLost)}`,
    () => `${bug === MERGE_WRONG ? "Merge with only a reshape" : "Merge: transpose back, then reshape"}, shape ${tokens}. ` +
      describeStrays(bug !== RIGHT),
  ][step]();
}

// Where a cell is at a step, in pixels, and in the row of which token.
function positionOf(cell, step, T, d) {
  const [width, height] = CELL, block = TITLE + T * height + GAP;
  if (step === 2 || step === 3) return [LEFT + cell.c * width, TOP + cell.head * block + TITLE + cell.row * height, cell.row];
  const [row, column] = step === 4 ? [cell.at, cell.to] : [cell.token, cell.column];
  return [LEFT + column * width + (step === 0 ? 0 : Math.floor(column / d) * GAP), TOP + TITLE + row * height, row];
}

// Names of the rows, titles of the blocks, and while the heads attend, a small map of each head's weights.
function frame(step, tokens, H, d, weights) {
  const [width, height] = CELL, T = tokens.length, block = TITLE + T * height + GAP, parts = [];
  const text = (x, y, words, kind, anchor = "start") => s("text", { x, y, class: kind, "text-anchor": anchor, text: words });
  const isSplit = step === 2 || step === 3;
  for (let head = 0; head < (isSplit ? H : 1); head++) {
    const y = TOP + head * block;
    if (isSplit) parts.push(text(LEFT, y + TITLE - 7, `head ${head}`, "ch-small"));
    else if (step > 0) for (let g = 0; g < H; g++)
      parts.push(text(LEFT + g * (d * width + GAP), y + TITLE - 7, H > 2 && d < 2 ? g : `head ${g}`, "ch-small"));
    tokens.forEach((token, t) => parts.push(text(LEFT - 8, y + TITLE + t * height + 18, `${t + 1} ${token}`, "ch-plain", "end")));
    if (step === 3) {
      const side = Math.min(22, height), x = LEFT + d * width + 34;
      parts.push(text(x, y + TITLE - 7, "looks at", "ch-small"));
      weights[head].forEach((row, i) => row.forEach((weight, j) => parts.push(s("rect", { x: x + j * side,
        y: y + TITLE + i * height + 2, width: side - 2, height: height - 4, rx: 2, class: "ch-cell", "fill-opacity": 0.75 * weight }))));
    }
  }
  return parts;
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Split and merge: where each entry goes");
  const V = model.get("V"), T = V.length, D = V[0].length, choices = divisors(D), last = STEPS.length - 1;
  figure.slider("step", { label: "step", min: 0, max: last, step: 1, show: (step) => `${step + 1} of ${STEPS.length}` });
  figure.slider("num_heads", { label: "heads", min: 0, max: choices.length - 1, step: 1, show: String,
    from: (H) => choices.indexOf(H), to: (i) => choices[i] });
  figure.choice("bug", "Which code?", ["correct", "bug: split without transpose", "bug: merge without transpose"]);
  const back = figure.button("Back", () => figure.set("step", model.get("step") - 1));
  const next = figure.button("Next step", () => figure.set("step", model.get("step") + 1));
  const buttons = h("div", { class: "ch-choice" }, back, next);
  figure.controls.append(buttons);
  const caption = h("p", { class: "ch-caption ch-strong" }), code = h("p", { class: "ch-caption" }), stage = h("div", {});
  figure.picture.append(caption, code, stage, h("p", { class: "ch-caption",
    text: "The small number in a cell is the number of its token. A dashed cell is in the row of another token." }));
  // The cells stay the same elements from step to step, so that they can be seen to move.
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const cells = Array.from({ length: T * D }, (_, k) => {
    const token = Math.floor(k / D), [width, height] = CELL, tint = 0.06 + (0.4 * token) / Math.max(1, T - 1);
    const box = s("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 3, class: "ch-value", "fill-opacity": tint });
    const value = s("text", { x: width - 6, y: 18, "text-anchor": "end", class: "ch-in-cell" });
    const tag = s("text", { x: 4, y: 18, class: "ch-small", text: token + 1 });
    return { box, value, g: s("g", { style: still ? "" : "transition:transform 600ms" }, box, value, tag) };
  });
  const background = s("g", {}), drawing = kit.drawing(10, 10, "", background, cells.map(({ g }) => g));
  stage.append(drawing);
  const traits = ["tokens", "Q", "K", "V", "num_heads", "step", "bug"];
  figure.draw(traits, () => {
    const inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)])), computed = compute(inputs);
    const { step, num_heads: H, bug, tokens } = inputs, d = D / H, label = words(inputs, computed);
    const wide = LEFT + Math.max(D * CELL[0] + (H - 1) * GAP, d * CELL[0] + 34 + 22 * T) + 6;
    const high = TOP + H * (TITLE + T * CELL[1] + GAP) - GAP;
    Object.entries({ viewBox: `0 ${TOP} ${wide} ${high - TOP + 4}`, width: wide, height: high - TOP + 4, "aria-label": label })
      .forEach(([name, value]) => drawing.setAttribute(name, value));
    background.replaceChildren(...frame(step, tokens, H, d, computed.weights));
    cells.forEach(({ g, box, value }, k) => {
      const cell = cellOf(k, T, D, H, bug), [x, y, row] = positionOf(cell, step, T, d), isMisplaced = row !== cell.token;
      g.style.transform = `translate(${x}px, ${y}px)`;
      value.textContent = step < 3 ? number(inputs.V[cell.token][cell.column], 1) : number(computed.mixed[cell.head][cell.row][cell.c]);
      box.setAttribute("style", isMisplaced ? "stroke:var(--ch-wrong);stroke-width:2;stroke-dasharray:4 2" : "");
    });
    const bugged = step === 2 && bug === SPLIT_WRONG ? "reshape" : STEPS[step];
    const lines = CODE.map((line, i) => (bug === i + 1 ? WRONG[i] : line));
    code.replaceChildren("split: ", h("code", { text: lines[0] }), " · merge: ", h("code", { text: lines[1] }));
    caption.textContent = `Step ${step + 1}: ${bugged}`;
    back.disabled = step === 0;
    next.disabled = step === last;
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
