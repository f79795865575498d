// A text that is unmasked in an order of the reader's choice, with the cost of unmasking several tokens at once.
const { h, number, matmul } = kit;
const TRAITS = ["P", "start", "dependence", "steps", "chosen", "seed"], MASKED = -1;
const total = (values) => values.reduce((a, b) => a + b, 0);
const normalise = (row) => { const sum = total(row); return row.map((v) => v / (sum > 0 ? sum : 1)); };

// The exact posterior of each day: what is known is passed along the text from the left and from the right.
function maskedPosterior(ids, known, P, start) {
  const T = ids.length, V = start.length, left = [start], right = Array(T).fill(Array(V).fill(1));
  const allowed = ids.map((id, t) => start.map((_, v) => (known[t] ? Number(v === id) : 1)));
  for (let t = 1; t < T; t++) left[t] = normalise(matmul([left[t - 1].map((v, i) => v * allowed[t - 1][i])], P)[0]);
  for (let t = T - 2; t >= 0; t--) {
    const after = allowed[t + 1].map((v, i) => v * right[t + 1][i]);
    right[t] = normalise(P.map((row) => kit.dot(row, after)));
  }
  return left.map((row, t) => normalise(row.map((v, i) => v * right[t][i] * allowed[t][i])));
}
function power(P, n) {
  let result = P.map((_, i) => P.map((_, j) => Number(i === j)));
  for (let i = 0; i < n; i++) result = matmul(result, P);
  return result;
}
const surprisal = (values) => -total(values.map((p) => (p > 0 ? p * Math.log(p) : 0)));
// H(x_t | x_left, x_right), without the condition where an index is outside the text.
function entropy(t, left, right, T, P, start) {
  const at = (k) => matmul([start], power(P, k))[0];
  const before = left < 0 ? [at(t)] : at(left).map((p, a) => power(P, t - left)[a].map((v) => p * v));
  const onward = right < T ? power(P, right - t) : P.map(() => [1]);
  const joint = before.map((row) => row.map((p, x) => onward[x].map((v) => p * v)));
  const ends = joint.map((rows) => rows[0].map((_, b) => total(rows.map((row) => row[b]))));
  return surprisal(joint.flat(2)) - surprisal(ends.flat());
}
function unmaskingCost(steps, P, start) {
  const T = steps.length;
  let cost = 0;
  steps.forEach((step, t) => {
    const before = steps.map((_, i) => i).filter((i) => steps[i] < step);
    const left = Math.max(-1, ...before.filter((i) => i < t)), right = Math.min(T, ...before.filter((i) => i > t));
    cost += entropy(t, left, right, T, P, start) - entropy(t, t - 1, T, T, P, start);
  });
  return cost;
}
// The steps of all days, if the chosen days come next and the others then come one at a time.
function completed(steps, chosen) {
  const following = Math.max(MASKED, ...steps) + 1;
  let rest = 0;
  return steps.map((step, t) => (step !== MASKED ? step : chosen[t] ? following : following + ++rest));
}

function compute({ P: fullMatrix, start, dependence, steps, chosen, seed }) {
  const P = fullMatrix.map((row) => row.map((p, v) => dependence * p + (1 - dependence) * start[v]));
  const random = Array.from(kit.normals(seed, steps.length), (z) => (((1000 * z) % 1) + 1) % 1), ids = steps.map(() => 0);
  for (let step = 0; step <= Math.max(MASKED, ...steps); step++) {
    const probabilities = maskedPosterior(ids, steps.map((s) => s !== MASKED && s < step), P, start);
    steps.forEach((s, t) => {
      if (s !== step) return;
      let cumulative = 0;
      const thresholds = probabilities[t].map((p) => (cumulative += p)), at = thresholds.findIndex((end) => end > random[t] * thresholds[thresholds.length - 1]);
      ids[t] = at < 0 ? thresholds.length - 1 : at;
    });
  }
  const spent = unmaskingCost(completed(steps, steps.map(() => 0)), P, start);
  const following = unmaskingCost(completed(steps, chosen), P, start) - spent;
  return { ids: ids.map((id, t) => (steps[t] === MASKED ? MASKED : id)), posterior: maskedPosterior(ids, steps.map((s) => s !== MASKED), P, start),
    spent: Math.max(spent, 0), following: Math.max(following, 0) };
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
function words({ tokens, steps, chosen }, { ids, spent, following }) {
  const numSteps = Math.max(...steps) + 1, masked = steps.filter((s) => s === MASKED).length;
  const days = chosen.map((each, t) => (each ? `day ${t + 1}` : "")).filter(Boolean), cost = `at a cost of ${number(spent, 3)} nats`;
  if (!masked) return `The diary is complete: ${ids.map((v) => tokens[v]).join(", ")}. It took ${counted(numSteps, "step")}, ${cost}.`;
  const text = `${steps.length - masked} of ${steps.length} days are unmasked, in ${counted(numSteps, "step")}, ${cost}. `;
  if (!days.length) return text + "Choose the days to unmask next.";
  return `${text}To unmask ${kit.listed(days)}${days.length > 1 ? " together" : ""} costs ${number(following, 3)} nats.`;
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Unmask a diary"), tokens = model.get("tokens");
  figure.slider("dependence", { label: "dependence on the day before", min: 0, max: 1, step: 0.1 });
  const set = (values) => figure.batch(() => Object.entries(values).forEach(([name, value]) => figure.set(name, value)));
  const days = model.get("steps").map((_, t) => {
    const day = h("button", { type: "button", class: "ch-button" });
    day.addEventListener("click", () => figure.set("chosen", model.get("chosen").map((each, i) => (i === t ? 1 - each : each))));
    return day;
  });
  const row = h("div", { class: "ch-buttons", role: "group", "aria-label": "The days of the diary" }, days);
  const none = () => model.get("steps").map(() => 0);
  const unmaskButton = figure.button("Unmask the chosen days", () => {
    const steps = model.get("steps"), chosen = model.get("chosen"), following = Math.max(MASKED, ...steps) + 1;
    if (chosen.some(Boolean)) set({ steps: steps.map((s, t) => (chosen[t] ? following : s)), chosen: none() });
  });
  figure.button("New diary", () => set({ steps: none().map(() => MASKED), chosen: none(), seed: model.get("seed") + 1 }));
  const map = h("div", {});
  figure.picture.append(row, h("p", { class: "ch-caption", text: "Each row: the probabilities of one day, given the days that are unmasked." }), map);
  figure.draw(TRAITS, () => {
    const state = { tokens, ...Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])) }, computed = compute(state);
    days.forEach((day, t) => {
      const masked = state.steps[t] === MASKED;
      day.textContent = masked ? `${state.chosen[t] ? "✓ " : ""}day ${t + 1}` : `${t + 1}: ${tokens[computed.ids[t]]}`;
      day.disabled = !masked;
      if (masked) day.setAttribute("aria-pressed", String(Boolean(state.chosen[t])));
      else day.removeAttribute("aria-pressed");
    });
    unmaskButton.disabled = !state.chosen.some(Boolean);
    const names = state.steps.map((_, t) => `day ${t + 1}`), label = words(state, computed);
    map.replaceChildren(kit.heatmap(computed.posterior, names, tokens, { cell: 46, left: 64, top: 40, rotation: 0, label }));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
