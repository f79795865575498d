// The best policy for a reward and a price of distance: and a learned reward, gamed as the price falls.
const { h, s, number } = kit;
const TRAITS = ["reference", "truth", "error", "optimised", "beta"];
const REWARDS = ["the true reward", "a learned reward"], TRUE = 0;
const BETAS = Array.from({ length: 121 }, (_, i) => 10 ** (1 - i / 40)), FLAT = 0.005;

// π_ref exp(r / β) / Z, as `clearhead.maths.post_training.kl_regularized_policy`.
const bestPolicy = (reference, reward, beta) => kit.softmax(reference.map((p, v) => Math.log(p) + reward[v] / beta));
const distance = (policy, reference) => policy.reduce((sum, p, v) => sum + (p > 0 ? p * Math.log(p / reference[v]) : 0), 0);

function compute({ reference, truth: true_reward, error, optimised, beta }) {
  const rewards = [true_reward, true_reward.map((r, v) => r + error[v])];
  const path = rewards.map((reward) => {
    const policies = BETAS.map((each) => bestPolicy(reference, reward, each));
    return [policies.map((policy) => distance(policy, reference)), policies.map((policy) => kit.dot(policy, true_reward))];
  });
  const reward = rewards[optimised], policy = bestPolicy(reference, reward, beta), divergence = distance(policy, reference);
  const mean = kit.dot(policy, reward), true_mean = kit.dot(policy, true_reward);
  return { policy, reward, mean, start: kit.dot(reference, reward), true_mean, true_start: kit.dot(reference, true_reward), distance: divergence,
    objective: mean - beta * divergence, covariance: kit.dot(policy, reward.map((r, v) => (r - mean) * (true_reward[v] - true_mean))), path };
}

function words({ optimised, beta }, { mean, start, true_mean, true_start, distance, objective, covariance }) {
  const text = `β = ${number(beta)}, and the policy optimises ${REWARDS[optimised]}. Its mean is ${number(start)} under the reference and ${number(mean)} under the ` +
    `best policy, with KL(π, π_ref) = ${number(distance, 3)} nats. The objective, mean reward − β KL, is ` +
    `${number(mean)} − ${number(beta)} · ${number(distance, 3)} = ${number(objective)}; for the reference it is ${number(start)}.`;
  if (optimised === TRUE) return text;
  const isGamed = true_mean < true_start;
  const trend = Math.abs(covariance) < FLAT ? "hardly changes" : covariance < 0 ? "falls" : "rises";
  return `${text} The mean true reward is ${number(true_mean)}, ${isGamed ? "below" : "above"} the ${number(true_start)} of the reference${isGamed ? ": the learned reward has been gamed" : ""}. ` +
    `The covariance of the two rewards is ${number(covariance)}: if β falls a little, the mean true reward ${trend}.`;
}

// ---- Drawing: one row per answer, with its rewards and two bars ----------------------------------------------
const WIDE = 318, TRUE_AT = 58, LEARNED_AT = 118, LEFT = 130, RIGHT = 40, HEAD = 24, ROW = 33, BAR = 12;
const text = (x, y, words, kind = "ch-small", anchor = "end") => s("text", { x, y, "text-anchor": anchor, class: kind, text: words });
const points = (r) => number(r, Number.isInteger(r) ? 0 : 2);

function bars({ answers, reference, truth: true_reward, optimised }, { policy, reward }) {
  const toX = (p) => ((WIDE - LEFT - RIGHT) * p) / Math.max(...policy, ...reference);
  const bar = (y, p, kind) => [s("rect", { x: LEFT, y, width: toX(p), height: BAR, ...kind }), text(LEFT + toX(p) + 5, y + BAR - 1, number(p), "ch-small", "start")];
  const label = `Reference and best policy: ${kit.listed(answers.map((name, v) => `${name} with reward ${points(reward[v])}, ${number(reference[v])} and ${number(policy[v])}`))}`;
  return kit.drawing(WIDE, HEAD + ROW * answers.length, label, text(TRUE_AT, 14, "true r"), optimised === TRUE ? [] : text(LEARNED_AT, 14, "learned"),
    answers.map((name, v) => {
      const y = HEAD + v * ROW, middle = y + BAR + 6, wrong = reward[v] !== true_reward[v];
      return [text(2, middle, name, "ch-plain", "start"), text(TRUE_AT, middle, points(true_reward[v]), "ch-plain"),
        optimised === TRUE ? [] : text(LEARNED_AT, middle, points(reward[v]), wrong ? "ch-key ch-strong" : "ch-plain"),
        bar(y, reference[v], { class: "ch-plain", "fill-opacity": 0.35 }), bar(y + BAR + 2, policy[v], { class: "ch-weight" })];
    }));
}

// The true mean by distance: a curve for each reward, the point of the present β, and the height of the start.
const HIGH = 280, EDGE = 34, TOP = 14, BOTTOM = 40;
function pathChart({ optimised }, { path, distance, true_mean, true_start }) {
  const maxDivergence = Math.max(...path[0][0], ...path[1][0]), all = [true_start, ...path[0][1], ...path[1][1]];
  const low = Math.floor(Math.min(...all)), high = Math.ceil(Math.max(...all));
  const toX = (x) => EDGE + (x / maxDivergence) * (WIDE - EDGE - 12), toY = (y) => TOP + ((high - y) / (high - low || 1)) * (HIGH - TOP - BOTTOM);
  const inputNames = Math.ceil((high - low) / 8) || 1, ticks = Array.from({ length: Math.floor((high - low) / inputNames) + 1 }, (_, i) => low + i * inputNames);
  const tickStep = Math.ceil(maxDivergence / 8), marks = Array.from({ length: Math.floor(maxDivergence / tickStep) + 1 }, (_, i) => i * tickStep);
  const kinds = ["ch-weight", "ch-key"], shownPaths = path.slice(0, optimised + 1);
  const descriptions = shownPaths.map(([, y], i) => `with ${REWARDS[i]} optimised, from ${number(y[0])} to at most ${number(Math.max(...y))}, and at the end ${number(y[y.length - 1])}`);
  return kit.drawing(WIDE, HIGH, `Mean true reward as KL grows: ${descriptions.join("; ")}`,
    ticks.map((y) => [s("line", { x1: EDGE, x2: WIDE - 12, y1: toY(y), y2: toY(y), class: "ch-axis" }), text(EDGE - 6, toY(y) + 4, number(y, 0))]),
    marks.map((x) => text(toX(x), HIGH - BOTTOM + 17, String(x), "ch-small", "middle")),
    text((EDGE + WIDE - 12) / 2, HIGH - 6, "KL(π, π_ref) in nats", "ch-small", "middle"),
    s("line", { x1: EDGE, x2: WIDE - 12, y1: toY(true_start), y2: toY(true_start), class: "ch-plain ch-stroke", "stroke-dasharray": "2 4", "stroke-width": 1.5 }),
    shownPaths.map(([x, y], i) => s("polyline", { points: x.map((each, k) => `${toX(each)},${toY(y[k])}`).join(" "), fill: "none", class: `${kinds[i]} ch-stroke`,
      "stroke-opacity": i === optimised ? 1 : 0.5, "stroke-dasharray": i ? "7 4" : "none" })),
    s("circle", { cx: toX(distance), cy: toY(true_mean), r: 6.5, class: "ch-query", style: "stroke:var(--ch-ground);stroke-width:2" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "The best policy for a reward"), inputNames = ["answers", ...TRAITS];
  figure.choice("optimised", "Optimised reward", REWARDS);
  figure.slider("beta", { label: "price β", min: -2, max: 1, step: 0.02, from: Math.log10, to: (power) => 10 ** power });
  const titles = [
    "One row per answer: its reward r and two bars. Grey: the reference π_ref. Purple: the best policy, π_ref exp(r/β) / Z. At β = 1.44, each point of reward doubles a bar before all bars are divided by Z.",
    "The mean true reward as β falls from 10 to 0.01. Solid line: the true reward is optimised. Orange dashes: the learned reward is optimised. Dot: the current β. Dotted line: the reference."];
  const containers = titles.map(() => h("div", {}));
  figure.picture.append(h("div", { class: "ch-panels" }, titles.map((title, i) => h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: title }), containers[i]))));
  figure.draw(inputNames, () => {
    const state = Object.fromEntries(inputNames.map((name) => [name, model.get(name)])), computed = compute(state);
    containers[0].replaceChildren(bars(state, computed));
    containers[1].replaceChildren(pathChart(state, computed));
    figure.setStatus(words(state, computed));
  });
  return figure.dispose;
}

export default { render, compute };
