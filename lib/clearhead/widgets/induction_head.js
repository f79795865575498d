// A net of two attention layers, computed here from its weights at twenty checkpoints of training.
const { h, s, number, quoted } = kit;
const indices = (n) => Array.from({ length: n }, (_, i) => i);
const top = (values) => values.indexOf(Math.max(...values));
const PRESETS = ["goldfinchgoldfin", "bananabananabanana", "hellomadamhelloma", "abcdefghijklmnop"];

// All weights of one moment: codes of one byte times the scale of their tensor.
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
function unpacked(model, moment) {
  const tensors = model.get("tensors"), codes = new Int8Array(bytes(model.get("codes")));
  const scales = new DataView(bytes(model.get("scales")));
  const size = tensors.reduce((sum, [, rows, columns]) => sum + rows * columns, 0), parameters = { blocks: [] };
  let start = moment * size;
  tensors.forEach(([name, rows, columns], index) => {
    const scale = scales.getFloat32(4 * (moment * tensors.length + index), true);
    const weight = indices(rows).map((i) => indices(columns).map((j) => codes[start + i * columns + j] * scale));
    start += rows * columns;
    const [kind, block, part] = name.split(".");
    if (kind === "blocks") (parameters.blocks[block] ??= {})[part] = { weight };
    else parameters[name] = name === "unembed" ? { weight } : weight;
  });
  return parameters;
}

const plus = (A, B) => A.map((row, i) => row.map((x, j) => x + B[i][j]));

function compute({ parameters: { tokens, positions, blocks, unembed }, ids, num_heads }) {
  let x = plus(ids.map((id) => tokens[id]), positions.slice(0, ids.length));
  const maps = [];
  for (const block of blocks) {
    const [Q, K, V] = ["query", "key", "value"].map((name) => kit.matmul(x, block[name].weight)), d = Q[0].length / num_heads;
    const heads = indices(num_heads).map((head) => {
      const [q, k, v] = [Q, K, V].map((rows) => rows.map((row) => row.slice(head * d, (head + 1) * d)));
      return kit.attention(q, k, v, true);
    });
    maps.push(...heads.map((head) => head.weights));
    x = plus(x, kit.matmul(ids.map((_, t) => heads.flatMap((head) => head.Z[t])), block.output.weight));
  }
  const logits = kit.matmul(x, unembed.weight);
  // Who looks at the letter before, and who at what came after an earlier place of the same letter?
  const after = ids.map((id, t) => indices(t + 1).filter((s) => s > 0 && s - 1 < t && ids[s - 1] === id));
  const numRepeated = after.filter((indices) => indices.length).length;
  return { logits, probabilities: logits.map(kit.softmax), maps,
    previous: maps.map((A) => (ids.length > 1 ? A.slice(1).reduce((sum, row, t) => sum + row[t], 0) / (ids.length - 1) : 0)),
    induction: maps.map((A) => after.reduce((sum, indices, t) => sum + indices.reduce((all, s) => all + A[t][s], 0), 0) / Math.max(numRepeated, 1)) };
}

function read(model) {
  const letters = model.get("letters"), all = [...model.get("text").toLowerCase()];
  const supported = all.filter((letter) => letters.includes(letter)), ids = supported.slice(0, model.get("longest")).map((letter) => letters.indexOf(letter));
  return { ids: ids.length ? ids : [0], left: all.length - ids.length, letters };
}
const named = (head, H) => `layer ${Math.floor(head / H)}, head ${head % H}`;
const best = ({ previous, induction }) => {
  const half = previous.length / 2;
  return [top(previous.slice(0, half)), half + top(induction.slice(half))];
};

function words(model, { ids, letters }, computed) {
  const t = Math.min(model.get("position"), ids.length - 1), moment = model.get("moment"), H = model.get("num_heads");
  const prediction = top(computed.probabilities[t]), [before, match] = best(computed), target = top(computed.maps[match][t]);
  return `After ${model.get("steps")[moment]} training steps, the accuracy on new strings is ${number(100 * model.get("accuracy")[moment], 0)} %. ` +
    `At letter ${t + 1}, ${quoted(letters[ids[t]])}, the net predicts ` +
    `${quoted(letters[prediction])}, ${number(computed.probabilities[t][prediction])}. ` +
    `Best previous-token head: ${named(before, H)}, ${number(computed.previous[before])}. ` +
    `Best induction head: ${named(match, H)}, ${number(computed.induction[match])}; ` +
    `here it attends most to letter ${target + 1}, ${quoted(letters[ids[target]])}.`;
}

// What the net predicts after each letter: a tick where it is right, nothing to compare with at its end.
function predictionTable({ ids, letters }, { probabilities }, t) {
  const [width, first] = kit.narrow() ? [16, 62] : [Math.min(26, 570 / ids.length), 74], cell = (i, y, text, kind) => s("text", { x: first + i * width, y, "text-anchor": "middle", class: kind, text });
  const parts = [s("text", { x: 0, y: 20, class: "ch-plain", text: "text" }), s("text", { x: 0, y: 46, class: "ch-plain", text: "net" }),
    s("rect", { x: first + t * width - width / 2, y: 3, width: width - 2, height: 66, rx: 5, class: "ch-chosen" })];
  ids.forEach((id, i) => {
    const prediction = top(probabilities[i]), known = i + 1 < ids.length, right = known && prediction === ids[i + 1];
    parts.push(cell(i, 20, letters[id], "ch-query"), cell(i, 46, letters[prediction], "ch-plain"),
      cell(i, 64, !known ? "?" : right ? "✓" : "·", right ? "ch-value" : "ch-small"));
  });
  const wide = first - 8 + width * ids.length, right = ids.filter((id, i) => i && top(probabilities[i - 1]) === id).length;
  const svg = kit.drawing(wide, 72, `The next letter is predicted correctly at ${right} of ${ids.length - 1} positions.`, ...parts);
  svg.style.minWidth = `${wide}px`;  // a long text scrolls
  return svg;
}

function map(A, { ids, letters }, t, label) {
  const small = kit.narrow(), cell = Math.min(15, (small ? 120 : 230) / ids.length), left = 20, upper = 20, side = ids.length * cell, parts = [];
  const named = (i, indices) => !small || indices.includes(i);  // on a phone: the letter that attends, and the one that it attends to most
  ids.forEach((id, i) => {
    if (named(i, [t])) parts.push(s("text", { x: left - 6, y: upper + (i + 0.75) * cell, "text-anchor": "end", class: "ch-query", style: "font-size:13px", text: letters[id] }));
    if (named(i, [top(A[t])])) parts.push(s("text", { x: left + (i + 0.5) * cell, y: upper - 6, "text-anchor": "middle", class: "ch-key", style: "font-size:13px", text: letters[id] }));
    for (let j = 0; j <= i; j++)
      parts.push(s("rect", { x: left + j * cell + 0.5, y: upper + i * cell + 0.5, width: cell - 1, height: cell - 1, rx: 2,
        class: "ch-cell", style: "stroke-width:0.5", "fill-opacity": 0.9 * A[i][j] }));
  });
  parts.push(s("rect", { x: left - 1, y: upper + t * cell - 1, width: side + 2, height: cell + 2, rx: 3, class: "ch-chosen" }));
  return kit.drawing(left + side + 4, upper + side + 4, label, ...parts);
}

// Accuracy and loss at all checkpoints; a dot marks the one that is shown.
function history(model) {
  const steps = model.get("steps"), moment = model.get("moment"), left = 20, wide = kit.narrow() ? 322 : 520, high = 120, upper = 12;
  const x = (i) => left + (i / (steps.length - 1)) * (wide - left - 26), highest = Math.max(...model.get("loss"));
  const parts = [s("line", { x1: left, x2: wide - 26, y1: upper + high, y2: upper + high, class: "ch-axis" })];
  const line = (values, most, kind, dash, name, at) => {
    const y = (v) => upper + high * (1 - v / most);
    parts.push(s("polyline", { points: values.map((v, i) => `${x(i)},${y(v)}`).join(" "), class: `${kind} ch-stroke`, style: `fill:none${dash}` }),
      s("circle", { cx: x(moment), cy: y(values[moment]), r: 6, class: kind }),
      s("text", { x: x(at), y: y(values[at]) + (at ? 24 : -8), "text-anchor": at ? "end" : "start", class: kind, text: name }));
  };
  line(model.get("accuracy"), 1, "ch-value", "", "accuracy", steps.length - 1);
  line(model.get("loss"), highest * 1.15, "ch-weight", ";stroke-dasharray:6 3", "loss", 0);
  (kit.narrow() ? [0, 8, 15, steps.length - 1] : [0, 4, 8, 11, 15, steps.length - 1]).forEach((i) => parts.push(
    s("text", { x: x(i), y: upper + high + 18, "text-anchor": "middle", class: "ch-small", text: steps[i] })));
  parts.push(s("line", { x1: x(moment), x2: x(moment), y1: upper, y2: upper + high, class: "ch-axis" }));
  return kit.drawing(wide, high + upper + 24, `Accuracy ${number(model.get("accuracy")[moment])} and loss ${number(model.get("loss")[moment])} after ${steps[moment]} steps.`, ...parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Induction heads: a net learns to copy"), H = model.get("num_heads");
  figure.field("text", "Your text, letters a to p").maxLength = 40;
  const buttons = PRESETS.map((text) => figure.button(text, () => figure.set("text", text)));
  figure.controls.append(h("div", { class: "ch-buttons" }, buttons));
  figure.slider("moment", { label: "Training steps", min: 0, max: model.get("steps").length - 1, step: 1, show: (i) => String(model.get("steps")[i]) });
  const slider = figure.slider("position", { label: "Letter that attends", min: 0, max: 1, step: 1, show: (i) => String(i + 1) });
  const prediction = h("div", { class: "ch-scroll", tabindex: 0, role: "region", "aria-label": "The net's prediction after each letter" }), left = h("p", { class: "ch-caption" });
  const maps = h("div", { class: "ch-panels", style: "grid-template-columns:repeat(2,minmax(0,1fr))" }), curve = h("div", {});
  figure.picture.append(prediction, left, maps, h("p", { class: "ch-caption", text: "Accuracy and loss on 400 new strings, at 20 checkpoints of training:" }), curve);
  figure.draw(["text", "moment", "position"], () => {
    const text = read(model), { ids } = text, t = Math.min(model.get("position"), ids.length - 1);
    const computed = compute({ parameters: unpacked(model, model.get("moment")), ids, num_heads: H }), [before, match] = best(computed);
    slider.max = ids.length - 1;
    slider.value = t;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", PRESETS[i] === model.get("text")));
    prediction.replaceChildren(predictionTable(text, computed, t));
    left.textContent = text.left ? `Characters ignored: ${text.left}. The net knows the letters a to p, and reads at most ${model.get("longest")}.` : "";
    maps.replaceChildren(...computed.maps.map((A, head) => {
      const isInduction = head === before ? computed.previous[head] > 0.5 : head >= computed.maps.length / 2 && computed.induction[head] > 0.5;
      const role = !isInduction ? "no clear role" : head === before ? "previous-token head" : "induction head";
      const scores = `previous ${number(computed.previous[head])}, induction ${number(computed.induction[head])}`;
      const title = h(isInduction ? "b" : "span", { class: isInduction ? "ch-as-weight" : "", text: `${named(head, H)}: ${role}` });
      return h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", style: "min-height:4.2em" }, title, h("br"), scores),
        map(A, text, t, `${title.textContent}; ${scores}.`));
    }));
    curve.replaceChildren(history(model));
    figure.setStatus(words(model, text, computed));
  });
  return figure.dispose;
}

export default { render, compute, unpacked };
