// How a reward is gamed: answers of various qualities and lengths, under increasing pressure.
const { s, number } = kit;
const TRAITS = ["reference", "rewards", "truth", "chosen", "pressure"], MOST = 6;
const LENGTHS = Array.from({ length: 12 }, (_, i) => i + 1), QUALITIES = [-2, -1, 0, 1, 2];
const LENGTH = LENGTHS.flatMap((length) => QUALITIES.map(() => length));

function compute({ reference, rewards, truth, chosen, pressure }) {
  const reward = rewards[chosen], policy = kit.softmax(reference.map((p, i) => Math.log(p) + pressure * reward[i]));
  const learned = kit.dot(policy, reward), real = kit.dot(policy, truth);
  return { policy, length: kit.dot(policy, LENGTH), learned, real, before: kit.dot(reference, truth),
    covariance: kit.dot(policy, reward.map((r, i) => r * truth[i])) - learned * real };
}

function words({ names, chosen, pressure }, { length, learned, real, before, covariance }) {
  return `The reward model uses ${names[chosen]}. At pressure ${number(pressure, 1)} the mean length is ${number(length, 1)}, ` +
    `the learned reward ${number(learned)} and the true reward ${number(real)}; without pressure it is ${number(before)}. ` +
    `A little more pressure ${covariance > 0 ? "raises" : "lowers"} the true reward.`;
}

// ---- Drawing: which answers are written, and both rewards over the pressure -------------------------------
const WIDE = 318, LEFT = 40, CELL = 23, TOP = 6;
function answers({ policy }, label) {
  const max = Math.max(...policy), x = (length) => LEFT + (length - 1) * CELL, y = (quality) => TOP + (2 - quality) * CELL;
  return kit.drawing(WIDE, TOP + 5 * CELL + 40, label,
    LENGTHS.map((length, i) => QUALITIES.map((quality, j) => s("rect", { x: x(length), y: y(quality), width: CELL, height: CELL,
      class: "ch-cell", "fill-opacity": policy[5 * i + j] / max }))),
    QUALITIES.map((quality) => s("text", { x: LEFT - 7, y: y(quality) + 16, "text-anchor": "end", class: "ch-small", text: number(quality, 0) })),
    [1, 5, 12].map((length) => s("text", { x: x(length) + CELL / 2, y: TOP + 5 * CELL + 16, "text-anchor": "middle", class: "ch-small", text: length })),
    s("text", { x: LEFT + 6 * CELL, y: TOP + 5 * CELL + 34, "text-anchor": "middle", class: "ch-small", text: "length" }));
}

const HIGH = 200, BOTTOM = 40, EDGE = 14;
function scoreCurves(state, { learned, real }, label) {
  const pressures = Array.from({ length: 61 }, (_, i) => (i * MOST) / 60), computedAll = pressures.map((pressure) => compute({ ...state, pressure }));
  const all = computedAll.flatMap((each) => [each.learned, each.real]), low = Math.floor(Math.min(...all)), high = Math.ceil(Math.max(...all));
  const x = (pressure) => LEFT + (pressure / MOST) * (WIDE - LEFT - EDGE), y = (value) => TOP + ((high - value) / (high - low)) * (HIGH - TOP - BOTTOM);
  const line = (name, kind) => s("polyline", { class: `${kind} ch-stroke`, fill: "none",
    points: computedAll.map((each, i) => `${x(pressures[i])},${y(each[name])}`).join(" "), ...(name === "learned" && { "stroke-dasharray": "5 4" }) });
  return kit.drawing(WIDE, HIGH, label,
    [low, 0, high].map((tick) => [s("line", { x1: LEFT, x2: WIDE - EDGE, y1: y(tick), y2: y(tick), class: "ch-axis" }),
      s("text", { x: LEFT - 7, y: y(tick) + 4, "text-anchor": "end", class: "ch-small", text: number(tick, 0) })]),
    [0, MOST].map((tick) => s("text", { x: x(tick), y: HIGH - BOTTOM + 16, "text-anchor": "middle", class: "ch-small", text: tick })),
    s("text", { x: (LEFT + WIDE) / 2, y: HIGH - 6, "text-anchor": "middle", class: "ch-small", text: "pressure 1/β" }),
    line("learned", "ch-key"), line("real", "ch-query"),
    [[learned, "ch-key"], [real, "ch-query"]].map(([value, kind]) => s("circle", { cx: x(Math.min(state.pressure, MOST)), cy: y(value), r: 6, class: kind })));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "How a reward is gamed");
  figure.slider("pressure", { label: "pressure 1/β", min: 0, max: MOST, step: 0.1, show: (x) => number(x, 1) });
  figure.choice("chosen", "Features of the reward model", model.get("names"));
  const panel = (text) => { const container = kit.h("div", {}), box = kit.h("div", { class: "ch-panel" }, kit.h("p", { class: "ch-caption", text }), container); return [box, container]; };
  const [left, grid] = panel("The answers of the policy, by quality (rows) and length (columns). The stronger the colour, the more probable the answer.");
  const [right, chart] = panel("Mean reward: learned (dashed, orange) and true (blue).");
  figure.picture.append(kit.h("div", { class: "ch-panels" }, left, right));
  const inputNames = [...TRAITS, "names"];
  figure.draw(inputNames, () => {
    const state = Object.fromEntries(inputNames.map((name) => [name, model.get(name)])), computed = compute(state), label = words(state, computed);
    grid.replaceChildren(answers(computed, label));
    chart.replaceChildren(scoreCurves(state, computed, label));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
