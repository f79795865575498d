// Spend a budget of compute: buy small runs, predict the loss of the large one, and score points.
const { h, s, number } = kit;
const TRAITS = ["sizes", "curves", "budget", "steps", "seeds", "guess"];
const STEPS_PER_POINT = 50;  // steps between two recorded moments

const points = (guess, trueLoss) => Math.max(0, Math.floor(100 * (1 - Math.abs(Math.log10(guess / trueLoss))) + 0.5));
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

// What a line through the logarithms predicts for the largest size.
function predicted(sizes, finalLosses, largest) {
  const x = sizes.map(Math.log), y = finalLosses.map(Math.log), mx = mean(x), my = mean(y);
  const slope = mean(x.map((each, i) => (each - mx) * (y[i] - my))) / mean(x.map((each) => (each - mx) ** 2));
  return Math.exp(my + slope * (Math.log(largest) - mx));
}

function compute({ sizes, curves, budget, steps, seeds, guess }) {
  const n = sizes.length - 1, last = curves[0][0].length - 1;
  const costs = steps.map((count, i) => (100 * seeds * sizes[i] * count) / (sizes[n] * STEPS_PER_POINT * last));
  const spent = costs.reduce((a, b) => a + b, 0);
  const finalLosses = steps.map((count, i) => (count ? mean(curves[i].slice(0, seeds).map((curve) => curve[count / STEPS_PER_POINT])) : 0));
  const trueLoss = mean(curves[n].map((curve) => curve[last]));
  const most = Math.max(...steps), longest = steps.flatMap((count, i) => (count && count === most ? [i] : []));
  const extrapolated = longest.length > 1 ? predicted(longest.map((i) => sizes[i]), longest.map((i) => finalLosses[i]), sizes[n]) : 0;
  return { costs, spent, allowed: spent <= budget, final_losses: finalLosses, true_loss: trueLoss, extrapolated,
    points: points(guess, trueLoss), extrapolated_points: extrapolated ? points(extrapolated, trueLoss) : 0 };
}

function words({ widths, budget, steps, guess, revealed }, { spent, allowed, final_losses: finalLosses, true_loss: trueLoss, extrapolated, points, extrapolated_points }) {
  const paid = `You have spent ${number(spent, 1)} of ${number(budget, 0)}.`;
  if (!allowed) return `${paid} That exceeds the budget: buy fewer steps or seeds.`;
  const runs = steps.flatMap((count, i) => (count ? [`${number(finalLosses[i], 4)} for width ${widths[i]} after ${count} steps`] : []));
  const results = runs.length ? `Excess loss: ${kit.listed(runs)}.` : "You have not bought any runs yet.";
  const text = `${paid} ${results} You predict ${number(guess, 4)} for width ${widths[widths.length - 1]}.`;
  if (!revealed) return text;
  return `${text} The true value is ${number(trueLoss, 4)}: ${points} of 100 points. ` + (extrapolated
    ? `A power law through your longest runs predicts ${number(extrapolated, 4)}: ${extrapolated_points} points.`
    : "A power law needs at least two runs with the largest number of steps.");
}

// ---- Drawing: excess loss in powers of ten, over steps -----------------------------------------------------
const HIGH = 260, LEFT = 46, RIGHT = 40, TOP = 12, BOTTOM = 40;
function chart({ curves, widths, steps, seeds, guess, revealed }, { allowed }, label) {
  const WIDE = kit.narrow() ? 340 : 640, last = curves[0][0].length - 1, n = widths.length - 1, all = curves.flat(2);
  const low = Math.floor(Math.log10(Math.min(...all, guess))), high = Math.log10(Math.max(...all)) + 0.1;
  const across = (moment) => LEFT + (moment / last) * (WIDE - LEFT - RIGHT);
  const up = (loss) => TOP + ((high - Math.log10(loss)) / (high - low)) * (HIGH - TOP - BOTTOM);
  const ticks = Array.from({ length: Math.floor(high) - low + 1 }, (_, i) => 10 ** (low + i));
  const path = (curve, end, kind) => s("polyline", { class: `${kind} ch-stroke`, fill: "none", "stroke-opacity": 0.8,
    points: curve.slice(0, end + 1).map((loss, k) => `${across(k)},${up(loss)}`).join(" ") });
  const runs = allowed ? steps.flatMap((count, i) => (count ? [{ i, end: count / STEPS_PER_POINT, kind: "ch-weight", of: curves[i].slice(0, seeds) }] : [])) : [];
  if (revealed) runs.push({ i: n, end: last, kind: "ch-query", of: curves[n] });
  runs.forEach((run) => { run.y = up(mean(run.of.map((curve) => curve[run.end]))) + 4; });
  runs.sort((a, b) => a.y - b.y);  // names keep apart, and the lowest stays in the picture
  for (let k = runs.length - 1, limit = HIGH - BOTTOM + 4; k >= 0; limit = runs[k--].y - 12) runs[k].y = Math.min(runs[k].y, limit);
  return kit.drawing(WIDE, HIGH, label,
    ticks.map((tick) => [s("line", { x1: LEFT, x2: WIDE - RIGHT, y1: up(tick), y2: up(tick), class: "ch-axis" }),
      s("text", { x: LEFT - 6, y: up(tick) + 4, "text-anchor": "end", class: "ch-small", text: String(Number(tick.toPrecision(1))) })]),
    [0, last].map((moment) => s("text", { x: across(moment), y: HIGH - BOTTOM + 16, "text-anchor": "middle", class: "ch-small", text: moment * STEPS_PER_POINT })),
    s("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 6, "text-anchor": "middle", class: "ch-small", text: "steps" }),
    runs.map(({ i, end, kind, of, y }) => [of.map((curve) => path(curve, end, kind)),
      s("text", { x: across(end) + 5, y, class: `ch-small ${kind}`, text: widths[i] })]),
    s("line", { x1: LEFT, x2: WIDE - RIGHT, y1: up(guess), y2: up(guess), class: "ch-key ch-stroke", "stroke-dasharray": "5 4" }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Spend a budget of compute");
  const widths = model.get("widths"), curves = model.get("curves"), last = STEPS_PER_POINT * (curves[0][0].length - 1);
  model.get("steps").forEach((_, i) => figure.slider("steps", { label: `steps of width ${widths[i]}`, min: 0, max: last, step: STEPS_PER_POINT,
    from: (steps) => steps[i], show: (steps) => String(steps[i]),
    to: (count) => model.get("steps").map((each, j) => (j === i ? count : each)) }));
  figure.slider("seeds", { label: "seeds of each run", min: 1, max: curves[0].length, step: 1, show: String });
  const guess = figure.slider("guess", { label: "your prediction", min: -4, max: 0.5, step: 0.05, show: (x) => number(x, 4),
    from: Math.log10, to: (power) => 10 ** power });
  const button = figure.button("", () => {
    if (model.get("revealed")) figure.set("steps", model.get("steps").map(() => 0));
    figure.set("revealed", !model.get("revealed"));
  });
  const sizes = model.get("sizes"), prices = sizes.map((size) => number((100 * size) / sizes[sizes.length - 1], 0));
  const caption = h("p", { class: "ch-caption", text: `A complete run with one seed costs ${kit.listed(prices.slice(0, -1))} for widths ` +
    `${kit.listed(widths.slice(0, -1).map(String))}; width ${widths[widths.length - 1]} costs ${prices[prices.length - 1]}, and is not for sale. ` +
    "Below: excess loss in nats, over steps. Purple: the runs that you have bought, with their widths. Dashed: your prediction for the end of the largest run." });
  const container = h("div", {});
  figure.picture.append(caption, container);
  const inputNames = [...TRAITS, "widths", "revealed"];
  figure.draw(inputNames, () => {
    const state = Object.fromEntries(inputNames.map((name) => [name, model.get(name)])), computed = compute(state), label = words(state, computed);
    button.textContent = state.revealed ? "Hide it, and start again" : "Show the large run and my points";
    button.disabled = !computed.allowed && !state.revealed;
    guess.disabled = state.revealed;  // the truth is known by now
    container.replaceChildren(chart(state, computed, label));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
