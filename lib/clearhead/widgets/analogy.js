// Analogy: the step from a to b, carried to c. The plane goes through a, b and c; the other words are shadows on it.
const { h, s, number, quoted } = kit;

const minus = (x, y) => x.map((value, i) => value - y[i]);
const plus = (x, y) => x.map((value, i) => value + y[i]);
const unit = (x) => { const length = Math.sqrt(kit.dot(x, x)) || 1; return x.map((value) => value / length); };
// Two perpendicular directions of length 1: from the steps b - a and c - a where these span a plane, else from an axis.
function directions(first, second) {
  const axes = [0, 1, 2].map((index) => first.map((_, i) => Number(i === index)));
  const basis = [];
  for (const candidate of [first, second, ...axes]) {
    const residual = basis.reduce((left, d) => minus(left, d.map((x) => x * kit.dot(left, d))), candidate);
    if (basis.length < 2 && kit.dot(residual, residual) > 1e-6) basis.push(unit(residual));
  }
  return basis;
}
function compute({ E, a, b, c, exclude }) {
  const rows = E.map(unit), target = plus(minus(rows[b], rows[a]), rows[c]), unitTarget = unit(target);
  const cosines = rows.map((row) => kit.dot(row, unitTarget));
  const left = cosines.map((_, i) => i).filter((i) => !(exclude && [a, b, c].includes(i)));
  const order = left.sort((i, j) => cosines[j] - cosines[i] || i - j);
  const [across, up] = directions(minus(rows[b], rows[a]), minus(rows[c], rows[a]));
  const project = (row) => [kit.dot(row, across), kit.dot(row, up)];
  return { cosines, order, points: rows.map(project), target: project(target) };
}

const NAMES = ["E", "a", "b", "c", "exclude"];
const inputs = (model) => Object.fromEntries(NAMES.map((name) => [name, model.get(name)]));

function words(model, { cosines, order }) {
  const labels = model.get("labels"), name = (trait) => labels[model.get(trait)];
  const [first, ...rest] = order.slice(0, 3).map((i) => `${quoted(labels[i])} (${number(cosines[i])})`);
  const rule = model.get("exclude") ? "with these three words excluded" : "with no word excluded";
  return `${name("b")} − ${name("a")} + ${name("c")}, ${rule}: the nearest of ${labels.length} words is ${first}, ` +
    `followed by ${kit.listed(rest)}.`;
}

// Everything that is drawn, in a square from -1 to 1 with the parallelogram in its middle.
function scaled({ points, target }, { a, b, c }) {
  const corners = [points[a], points[b], points[c], target];
  const middle = [0, 1].map((axis) => corners.reduce((sum, p) => sum + p[axis], 0) / 4);
  const reach = 1.45 * Math.max(...corners.flatMap((p) => minus(p, middle).map(Math.abs)), 0.3);
  const toSquare = (p) => minus(p, middle).map((x) => x / reach);
  return { points: points.map(toSquare), target: toSquare(target) };
}
function arrow(area, from, to, className) {
  const [x1, y1] = area.toPixels(from), [x2, y2] = area.toPixels(to), length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 12) return [];
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length], [bx, by] = [x2 - 11 * ux, y2 - 11 * uy];
  const head = [[x2, y2], [bx + 5 * uy, by - 5 * ux], [bx - 5 * uy, by + 5 * ux]];
  return [s("line", { x1, y1, x2: bx, y2: by, class: className + " ch-stroke" }),
    s("polygon", { points: head.map((p) => p.join()).join(" "), class: className })];
}
// Names that keep clear of handles, arrows, dots, the names before them and the edge: the best of eight places round a point.
function labelPlacer(area, handles, arrows, dots) {
  const square = (half) => ([x, y]) => [x - half, y - half, x + half, y + half], steps = [...Array(25).keys()].map((k) => k / 24);
  const pointsAlong = ([p, q]) => steps.map((t) => [0, 1].map((axis) => p[axis] + t * (q[axis] - p[axis])));
  const occupied = [...handles.map(square(16)), ...arrows.flatMap(pointsAlong).map(square(4)), ...dots.map(square(2))];
  const overlap = (p, q) => Math.max(0, Math.min(p[2], q[2]) - Math.max(p[0], q[0])) * Math.max(0, Math.min(p[3], q[3]) - Math.max(p[1], q[1]));
  return ([x, y], text, className, distance) => {
    const wide = 8.6 * text.length, side = distance + wide / 2, corner = 0.6 * distance + wide / 2, high = distance + 8;
    const offsets = [[0, -high], [0, high], [side, 0], [-side, 0], [corner, -high], [corner, high], [-corner, -high], [-corner, high]];
    const cost = ([l, t, r, b]) => occupied.reduce((sum, box) => sum + overlap([l, t, r, b], box), 0) +
      (r - l) * (b - t) - overlap([l, t, r, b], [0, 0, area.width, area.height]);
    const boxes = offsets.map(([dx, dy]) => [x + dx - wide / 2, y + dy - 8, x + dx + wide / 2, y + dy + 8]);
    const box = boxes.reduce((least, each) => (cost(each) < cost(least) - 0.5 ? each : least));
    occupied.push(box);
    return s("text", { x: (box[0] + box[2]) / 2, y: box[3] - 4, "text-anchor": "middle", class: className, text });
  };
}
function draw(area, labels, { points, target }, { a, b, c }, strongest, nearest) {
  const at = points.map(area.toPixels), end = area.toPixels(target), isVisible = (i) => Math.max(...points[i].map(Math.abs)) < 1;
  const circle = ([cx, cy], r, className, more) => s("circle", { cx, cy, r, class: className, ...more });
  const free = labelPlacer(area, [a, b, c, ...(nearest < 0 ? [] : [nearest])].map((i) => at[i]), [[at[a], at[b]], [at[c], end]], [...at, end]);
  const names = [...new Set([a, b, c, nearest < 0 ? strongest : nearest])].filter(isVisible).map((i) => free(at[i], labels[i],
    i === nearest ? "ch-query ch-strong" : i === strongest ? "ch-value ch-strong" : "ch-plain", [a, b, c, nearest].includes(i) ? 17 : 8));
  return kit.drawing(area.width, area.height,
    `The plane through ${labels[a]}, ${labels[b]} and ${labels[c]}, with the step applied to ${labels[c]}`,
    at.map((point, i) => isVisible(i) && circle(point, 2.5, "ch-plain", { "fill-opacity": 0.3 })),
    arrow(area, points[a], points[b], "ch-plain"), arrow(area, points[c], target, "ch-query"),
    circle(end, 5, "ch-query"), isVisible(strongest) && circle(at[strongest], 6, "ch-value"),
    nearest >= 0 && circle(at[nearest], 11, "ch-query ch-stroke"), names);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Analogy: carry the step from a to b over to c");
  const labels = model.get("labels"), area = kit.plane(1);
  const start = Object.fromEntries(["a", "b", "c"].map((trait) => [trait, model.get(trait)]));
  const alphabetical = labels.map((label, i) => [label, i]).sort(([x], [y]) => (x < y ? -1 : 1));
  [["a", "from (a)"], ["b", "to (b)"], ["c", "applied to (c)"]].forEach(([trait, label]) => {
    const input = h("select", { class: "ch-button", id: kit.unique() }, alphabetical.map(([text, i]) => h("option", { value: i, text })));
    const follow = () => { input.value = model.get(trait); };
    input.addEventListener("change", () => figure.set(trait, Number(input.value)));
    figure.controls.append(h("div", { class: "ch-control" }, h("label", { for: input.id, text: label }), input));
    figure.on(trait, follow);
    follow();
  });
  figure.toggle("exclude", "leave out the input words");
  const examples = model.get("examples");
  const choose = (chosen) => ["a", "b", "c"].forEach((trait, i) => figure.set(trait, chosen[i]));
  figure.button("Another example", () => {
    const now = examples.findIndex((example) => example.every((id, i) => id === model.get("abc"[i])));
    choose(examples[(now + 1) % examples.length]);
  });
  figure.button("Start again", () => { choose([start.a, start.b, start.c]); pending = null; paint(); });

  // While a, b or c is dragged nothing but the handle moves; the word nearest to it is taken when it is let go.
  let pending = null, computed, scaledPoints;
  const nearestTo = (point) => scaledPoints.points.reduce((strongest, p, i, all) =>
    Math.hypot(...minus(p, point)) < Math.hypot(...minus(all[strongest], point)) ? i : strongest, 0);
  const takeNearest = () => {
    if (!pending) return;
    const { trait, point } = pending, nearest = nearestTo(point);
    pending = null;
    if (nearest === model.get(trait)) paint(); else figure.set(trait, nearest);
  };
  const picture = h("div", {}), bars = h("div", { class: "ch-panel" });
  const dragHandles = ["a", "b", "c"].map((trait) => {
    const handle = kit.handle(area, `word ${trait} (Enter takes the nearest word)`,
      () => (pending?.trait === trait ? pending.point : scaledPoints?.points[model.get(trait)] ?? [0, 0]),
      (point) => { pending = { trait, point }; show(); });
    handle.dot.addEventListener("lostpointercapture", takeNearest);
    handle.dot.addEventListener("click", takeNearest);
    return handle;
  });
  figure.picture.append(h("div", { class: "ch-panels" },
    h("div", { class: "ch-panel" }, h("p", { class: "ch-caption", text: "The plane through a, b and c" }),
      h("div", { class: "ch-pad" }, picture, dragHandles.map((handle) => handle.dot))), bars));
  function show() {
    const now = inputs(model), top = computed.order.slice(0, 6);
    const nearest = pending ? nearestTo(pending.point) : -1;
    picture.replaceChildren(draw(area, labels, scaledPoints, now, computed.order[0], nearest));
    bars.replaceChildren(h("p", { class: "ch-caption", text: "Nearest to the end of the blue arrow, by cosine" }),
      kit.bars(top.map((i) => labels[i]), top.map((i) => Math.max(0, computed.cosines[i]))));
    dragHandles.forEach((handle) => handle.update());
    figure.setStatus(pending ? `Let go, or press Enter, to take ${quoted(labels[nearest])} as ${pending.trait}.` : words(model, computed));
  }
  function paint() {
    computed = compute(inputs(model));
    scaledPoints = scaled(computed, inputs(model));
    show();
  }
  figure.draw(NAMES, () => { pending = null; paint(); });
  return figure.dispose;
}

export default { render, compute };
