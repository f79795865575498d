// The best policy for a reward and a price of distance: and a learned reward, gamed as the price falls.
const { h, s, number } = kit;
const TRAITS = ["reference", "truth", "error", "optimised", "beta"];
const REWARDS = ["the true reward", "a learned reward"], TRUE = 0;
const BETAS = Array.from({ length: 121 }, (_, i) => 10 ** (1 - i / 40)), FLAT = 0.005;

// π_ref exp(r / β) / Z, as `clearhead.maths.post_training.kl_regularized_policy`.
const bestPolicy = (reference, reward, beta) => kit.softmax(reference.map((p, v) => Math.log(p) + reward[v] / beta));
const distance = (policy, reference) => policy.reduce((sum, p, v) => sum + (p > 0 ? p * Math.log(p / reference[v]) : 0), 0);

function compute({ reference, truth, error, optimised, beta }) {
  const rewards = [truth, truth.map((r, v) => r + error[v])];
  const course = rewards.map((reward) => {
    const policies = BETAS.map((each) => bestPolicy(reference, reward, each));
    return [policies.map((policy) => distance(policy, reference)), policies.map((policy) => kit.dot(policy, truth))];
  });
  const reward = rewards[optimised], policy = bestPolicy(reference, reward, beta), away = distance(policy, reference);
  const mean = kit.dot(policy, reward), true_mean = kit.dot(policy, truth);
  return { policy, reward, mean, start: kit.dot(reference, reward), true_mean, true_start: kit.dot(reference, truth), distance: away,
    objective: mean - beta * away, covariance: kit.dot(policy, reward.map((r, v) => (r - mean) * (truth[v] - true_mean))), course };
}

function words({ optimised, beta }, { mean, start, true_mean, true_start, distance, objective, covariance }) {
  const told = `β = ${number(beta)}, and the policy optimises ${REWARDS[optimised]}. Its mean is ${number(start)} under the reference and ${number(mean)} under the ` +
    `best policy, with KL(π, π_ref) = ${number(distance, 3)} nats. The objective, mean reward − β KL, is ` +
    `${number(mean)} − ${number(beta)} · ${number(distance, 3)} = ${number(objective)}; for the reference it is ${number(start)}.`;
  if (optimised === TRUE) return told;
  const gamed = true_mean < true_start;
  const way = Math.abs(covariance) < FLAT ? "hardly changes" : covariance < 0 ? "falls" : "rises";
  return `${told} The mean true reward is ${number(true_mean)}, ${gamed ? "below" : "above"} the ${number(true_start)} of the reference${gamed ? ": the learned reward has been gamed" : ""}. ` +
    `The covariance of the two rewards is ${number(covariance)}: if β falls a little, the mean true reward ${way}.`;
}

// ---- Drawing: one row per answer, with its rewards and two bars ----------------------------------------------
const WIDE = 318, TRUE_AT = 58, LEARNED_AT = 118, LEFT = 130, RIGHT = 40, HEAD = 24, ROW = 33, BAR = 12;
const text = (x, y, words, kind = "ch-small", anchor = "end") => s("text", { x, y, "text-anchor": anchor, class: kind, text: words });
const points = (r) => number(r, Number.isInteger(r) ? 0 : 2);

function bars({ answers, reference, truth, optimised }, { policy, reward }) {
  const along = (p) => ((WIDE - LEFT - RIGHT) * p) / Math.max(...policy, ...reference);
  const bar = (y, p, kind) => [s("rect", { x: LEFT, y, width: along(p), height: BAR, ...kind }), text(LEFT + along(p) + 5, y + BAR - 1, number(p), "ch-small", "start")];
  const label = `Reference and best policy: ${kit.listed(answers.map((name, v) => `${name} with reward ${points(reward[v])}, ${number(reference[v])} and ${number(policy[v])}`))}`;
  return kit.drawing(WIDE, HEAD + ROW * answers.length, label, text(TRUE_AT, 14, "true r"), optimised === TRUE ? [] : text(LEARNED_AT, 14, "learned"),
    answers.map((name, v) => {
      const y = HEAD + v * ROW, middle = y + BAR + 6, wrong = reward[v] !== truth[v];
      return [text(2, middle, name, "ch-plain", "start"), text(TRUE_AT, middle, points(truth[v]), "ch-plain"),
        optimised === TRUE ? [] : text(LEARNED_AT, middle, points(reward[v]), wrong ? "ch-key ch-strong" : "ch-plain"),
        bar(y, reference[v], { class: "ch-plain", "fill-opacity": 0.35 }), bar(y + BAR + 2, policy[v], { class: "ch-weight" })];
    }));
}

// The true mean by distance: a curve for each reward, the point of the present β, and the height of the start.
const HIGH = 280, EDGE = 34, TOP = 14, FOOT = 40;
function ways({ optimised }, { course, distance, true_mean, true_start }) {
  const far = Math.max(...course[0][0], ...course[1][0]), all = [true_start, ...course[0][1], ...course[1][1]];
  const low = Math.floor(Math.min(...all)), high = Math.ceil(Math.max(...all));
  const across = (x) => EDGE + (x / far) * (WIDE - EDGE - 12), up = (y) => TOP + ((high - y) / (high - low || 1)) * (HIGH - TOP - FOOT);
  const every = Math.ceil((high - low) / 8) || 1, ticks = Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, i) => low + i * every);
  const apart = Math.ceil(far / 8), marks = Array.from({ length: Math.floor(far / apart) + 1 }, (_, i) => i * apart);
  const kinds = ["ch-weight", "ch-key"], shown = course.slice(0, optimised + 1);
  const said = shown.map(([, y], i) => `with ${REWARDS[i]} optimised, from ${number(y[0])} to at most ${number(Math.max(...y))}, and at the end ${number(y[y.length - 1])}`);
  return kit.drawing(WIDE, HIGH, `Mean true reward as KL grows: ${said.join("; ")}`,
    ticks.map((y) => [s("line", { x1: EDGE, x2: WIDE - 12, y1: up(y), y2: up(y), class: "ch-axis" }), text(EDGE - 6, up(y) + 4, number(y, 0))]),
    marks.map((x) => text(across(x), HIGH - FOOT + 17, String(x), "ch-small", "middle")),
    text((EDGE + WIDE - 12) / 2, HIGH - 6, "KL(π, π_ref) in nats", "ch-small", "middle"),
    s("line", { x1: EDGE, x2: WIDE - 12, y1: up(true_start), y2: up(true_start), class: "ch-plain ch-stroke", "stroke-dasharray": "2 4", "stroke-width": 1.5 }),
    shown.map(([x, y], i) => s("polyline", { points: x.map((each, k) => `${across(each)},${up(y[k])}`).join(" "), fill: "none", class: `${kinds[i]} ch-stroke`,
      "stroke-opacity": i === optimised ? 1 : 0.5, "stroke-dasharray": i ? "7 4" : "none" })),
    s("circle", { cx: across(distance), cy: up(true_mean), r: 6.5, class: "ch-query", style: "stroke:var(--ch-ground);stroke-width:2" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "The best policy for a reward"), every = ["answers", ...TRAITS];
  figure.choice("optimised", "Optimised reward", REWARDS);
  figure.slider("beta", { label: "price β", min: -2, max: 1, step: 0.02, from: Math.log10, to: (power) => 10 ** power });
  const titles = [
    "One row per answer: its reward r and two bars. Grey: the reference π_ref. Purple: the best policy, π_ref exp(r/β) / Z. At β = 1.44, each point of reward doubles a bar before all bars are divided by Z.",
    "The mean true reward as β falls from 10 to 0.01. Solid line: the true reward is optimised. Orange dashes: the learned reward is optimised. Dot: the current β. Dotted line: the reference."];
  const places = titles.map(() => h("div", {}));
  figure.picture.append(h("div", { class: "ch-panels" }, titles.map((title, i) => h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: title }), places[i]))));
  figure.draw(every, () => {
    const state = Object.fromEntries(every.map((name) => [name, model.get(name)])), found = compute(state);
    places[0].replaceChildren(bars(state, found));
    places[1].replaceChildren(ways(state, found));
    figure.say(words(state, found));
  });
  return figure.stop;
}

export default { render, compute };
