// Room for many directions: the cosines of all pairs of M vectors in N dimensions, computed while you move.
const { h, s, number, counted } = kit;
const MOST = 512, BINS = 81, NEAR = [1, 5, 10, 20];
const COUNTS = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

// One table of random numbers for each seed: its first N columns serve in N dimensions.
const cache = new Map();
function table(seed) {
  if (!cache.has(seed)) cache.clear(), cache.set(seed, kit.normals(seed, MOST * MOST));
  return cache.get(seed);
}
// The axes, and then rows of signs: minus where i and j share an odd number of ones in their bits.
function sign(i, j) {
  let odd = 0;
  for (let both = i & j; both; both &= both - 1) odd ^= 1;
  return odd ? -1 : 1;
}
const entry = (i, j, N) => (i < N ? Number(i === j) : sign(i - N, j) / Math.sqrt(N));

// All directions in one long array, row after row, each of length 1.
function directions({ dimensions: N, vectors, constructed, seed }) {
  const M = constructed ? Math.min(vectors, 2 * N) : vectors, rows = new Float64Array((M + 1) * N), random = constructed ? null : table(seed);
  for (let i = 0; i < M; i++) {
    let squares = 0;
    for (let j = 0; j < N; j++) {
      const x = constructed ? entry(i, j, N) : random[i * MOST + j];
      rows[i * N + j] = x;
      squares += x * x;
    }
    for (let j = 0, length = Math.sqrt(squares); j < N; j++) rows[i * N + j] /= length;
  }
  return { rows, M };
}

const degrees = (sine) => (Math.asin(sine) * 180) / Math.PI;
function compute(inputs) {
  const { rows, M } = directions(inputs), N = inputs.dimensions, counts = Array(BINS).fill(0), near = NEAR.map(() => 0);
  const angleSines = NEAR.map((angle) => Math.sin(((angle + 1e-6) * Math.PI) / 180));
  let squares = 0, largest = 0;
  function count(cosine) {
    counts[Math.max(0, Math.min(BINS - 1, Math.floor(((cosine + 1) / 2) * BINS)))]++;
    squares += cosine * cosine;
    const size = Math.min(1, Math.abs(cosine));
    if (size > largest) largest = size;
    for (let k = 0; k < angleSines.length; k++) if (size <= angleSines[k]) near[k]++;
  }
  // Two rows with two rows at a time: each entry that is read is used twice. Rows behind the last are 0.
  for (let a = 0; a < M; a += 2)
    for (let b = a; b < M; b += 2) {
      let p = 0, q = 0, r = 0, t = 0;
      for (let j = 0, i = a * N, k = b * N; j < N; j++, i++, k++) {
        const x = rows[i], y = rows[i + N], u = rows[k], v = rows[k + N];
        p += x * u; q += x * v; r += y * u; t += y * v;
      }
      if (a < b) count(p);
      if (b + 1 < M) count(q);
      if (a + 1 < M && a < b) count(r);
      if (a + 1 < M && b + 1 < M && a < b) count(t);
    }
  const pairs = (M * (M - 1)) / 2, welch = M <= N ? 0 : Math.sqrt((M - N) / (N * (M - 1)));
  return { used: M, counts, spread: Math.sqrt(squares / pairs), expected: 1 / Math.sqrt(N), largest, off: degrees(largest),
    welch, least_off: degrees(welch), near: near.map((count) => count / pairs) };
}

function words({ dimensions: N, vectors, constructed }, { used: M, spread, expected, largest, off, least_off }) {
  const pairs = (M * (M - 1)) / 2, note = M < vectors ? " (there are no more of this kind)" : "";
  const text = `${M} ${constructed ? "constructed" : "random"} directions${note} in ${N} dimensions, ${counted(pairs)} ` +
    `pair${pairs > 1 ? "s" : ""}: the root mean square of the cosines is ${number(spread)}, and 1/√N is ${number(expected)}. ` +
    `The largest absolute cosine is ${number(largest)}, an angle ${number(off, 1)}° off 90°. `;
  if (M <= N) return `${text}${M === 2 ? "Both" : `All ${M}`} could be orthogonal, because ${N} dimensions have ${N} orthogonal directions.`;
  return `${text}At most ${N} directions can be orthogonal; among ${M}, at least one pair is ${number(least_off, 1)}° off or more.`;
}

// How often each cosine occurs; above it their root mean square, and 1/√N.
function histogram({ counts, spread, expected, largest, welch }, label) {
  const width = 318, height = 232, left = 56, right = 12, top = 58, low = 188, most = Math.max(...counts);
  const x = (cosine) => left + ((cosine + 1) / 2) * (width - left - right), step = (width - left - right) / BINS;
  const angleSines = (y, size, name, kind) => [s("text", { x: left - 6, y: y + 4, "text-anchor": "end", class: "ch-small", text: name }),
    s("path", { d: `M${x(-size)} ${y - 5} v10 m0 -5 H${x(size)} m0 -5 v10`, class: `${kind} ch-stroke` })];
  const verticalLine = (x0, y1, y2, kind, more) => s("line", { x1: x(x0), x2: x(x0), y1, y2, class: kind, ...more });
  return kit.drawing(width, height, label,
    [-1, -0.5, 0, 0.5, 1].map((tick) => [verticalLine(tick, top, low, "ch-axis"),
      s("text", { x: x(tick), y: low + 16, "text-anchor": "middle", class: "ch-small", text: number(tick, tick % 1 ? 1 : 0) }),
      s("text", { x: x(tick), y: low + 33, "text-anchor": "middle", class: "ch-small", text: `${Math.round(90 - degrees(tick))}°` })]),
    [["cosine", 16], ["angle", 33]].map(([name, y]) => s("text", { x: 0, y: low + y, class: "ch-small", text: name })),
    counts.map((count, x0) => count > 0 && s("rect", { x: left + x0 * step + 0.4, width: step - 0.8, class: "ch-weight",
      y: low - Math.max(1.5, ((low - top) * count) / most), height: Math.max(1.5, ((low - top) * count) / most), "fill-opacity": 0.75 })),
    s("line", { x1: left, x2: width - right, y1: low, y2: low, class: "ch-axis" }),
    angleSines(14, spread, "RMS", "ch-weight"), angleSines(34, expected, "1/√N", "ch-plain"),
    welch > 0 && [-welch, welch].map((x0) => verticalLine(x0, top - 6, low, "ch-plain ch-stroke", { "stroke-dasharray": "4 3" })),
    [-largest, largest].map((x0) => s("path", { d: `M${x(x0)} ${low - 2} l-6 -12 h12 z`, class: "ch-query" })));
}

// The pair that is furthest from a right angle. No worst pair can be inside the shaded part.
function worstAngle({ off, least_off }) {
  const width = 300, height = 138, from = [60, 118], long = 104;
  const at = (angle, radius = long) => [from[0] + radius * Math.cos((angle * Math.PI) / 180), from[1] - radius * Math.sin((angle * Math.PI) / 180)];
  function arrow(angle, kind) {
    const [tip, neck] = [at(angle), at(angle, long - 11)], [dx, dy] = [(tip[1] - neck[1]) / 2.2, (neck[0] - tip[0]) / 2.2];
    return [s("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1], class: `${kind} ch-stroke` }),
      s("polygon", { points: `${tip} ${neck[0] + dx},${neck[1] + dy} ${neck[0] - dx},${neck[1] - dy}`, class: kind })];
  }
  const arc = (a, b, radius) => `M${at(a, radius)} A${radius} ${radius} 0 0 0 ${at(b, radius)}`;
  return kit.drawing(width, height, `The worst pair meets at ${number(90 - off, 1)} degrees`,
    least_off > 0 && s("path", { d: `${arc(90 - least_off, 90, 92)} L${from} Z`, class: "ch-plain", "fill-opacity": 0.2 }),
    s("line", { x1: from[0], y1: from[1], x2: from[0], y2: from[1] - long, class: "ch-plain ch-stroke", "stroke-dasharray": "4 3" }),
    arrow(0, "ch-query"), arrow(90 - off, "ch-query"), s("path", { d: arc(0, 90 - off, 34), class: "ch-query ch-stroke", style: "stroke-width:1.2" }),
    s("text", { x: 190, y: 52, class: "ch-query ch-strong", text: `${number(90 - off, 1)}°` }),
    s("text", { x: 190, y: 72, class: "ch-plain", text: `${number(off, 1)}° off 90°` }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Nearly orthogonal directions: how many fit?");
  figure.choice("constructed", "Directions", ["random", "constructed: the axes, then rows of signs"]);
  figure.slider("dimensions", { label: "N, dimensions", min: 1, max: 9, step: 1, show: String, from: Math.log2, to: (power) => 2 ** power });
  figure.slider("vectors", { label: "M, directions", min: 0, max: COUNTS.length - 1, step: 1, show: String,
    from: (count) => COUNTS.findLastIndex((each) => each <= count), to: (x0) => COUNTS[x0] });
  const redrawButton = figure.button("Draw again", () => figure.set("seed", model.get("seed") + 1));
  const panel = (...parts) => h("div", { class: "ch-panel" }, ...parts);
  const cosines = h("div", {}), pair = h("div", {}), fractions = h("div", {}), caption = (text) => h("p", { class: "ch-caption", text });
  figure.picture.append(h("div", { class: "ch-panels" },
    panel(caption("The cosines of all pairs. Blue: the largest absolute cosine. Dashed: its lower bound (Welch)."), cosines),
    panel(caption("The worst pair. Shaded: angles that no choice of directions can reach for its worst pair."), pair, caption("Fraction of pairs near a right angle"), fractions)));
  const traits = ["dimensions", "vectors", "constructed", "seed"];
  figure.draw(traits, () => {
    const inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)])), computed = compute(inputs), label = words(inputs, computed);
    redrawButton.disabled = Boolean(inputs.constructed);
    cosines.replaceChildren(histogram(computed, label));
    pair.replaceChildren(worstAngle(computed));
    fractions.replaceChildren(kit.bars(NEAR.map((angle) => `within ${angle}°`), computed.near));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
