// Images in rows, captions in columns: cosines over a temperature, softmax one way or the other, and the loss.
const { h, s, number, quoted } = kit;
const TOP = 66;
const sizes = () => (kit.narrow() ? [40, 58, 4, 11, 28] : [58, 74, 5.5, 13, 34]);  // cell, left, pixel of a digit, small letters, right

const length = (v) => Math.hypot(...v);
const unit = (v) => (length(v) > 0 ? v.map((x) => x / length(v)) : v);

function compute({ x, y, temperature, columns, wrong }) {
  const captions = y.map((row, i) => (wrong && i === wrong - 1 ? y[wrong % y.length] : row));
  const cosines = kit.matmul(x.map(unit), kit.transpose(captions.map(unit)));
  const logits = cosines.map((row) => row.map((c) => c / temperature)), transposed = kit.transpose(logits);
  const byRows = logits.map(kit.softmax), byColumns = transposed.map(kit.softmax);
  // From the logits, not from the probabilities: those can round to 0.
  const half = (rows) => rows.reduce((sum, row, i) => {
    const top = Math.max(...row);
    return sum + top + Math.log(row.reduce((all, z) => all + Math.exp(z - top), 0)) - row[i];
  }, 0) / rows.length;
  const halves = [half(logits), half(transposed)];
  return { cosines, weights: columns ? kit.transpose(byColumns) : byRows, loss: (halves[0] + halves[1]) / 2, halves,
    found: cosines.map((row, i) => (row[i] > Math.max(...row) - 1e-9 ? 1 : 0)) };
}

const captionsWith = (names, wrong) => names.map((name, i) => (wrong && i === wrong - 1 ? names[wrong % names.length] : name));

function words({ names, temperature, wrong }, { loss, halves, found: computed }) {
  const captions = captionsWith(names, wrong), B = names.length;
  let text = `${computed.reduce((a, b) => a + b)} of ${B} images are most similar to their own caption. ` +
    `At T = ${number(temperature)} the loss is ${number(loss)}: ${number(halves[0])} along rows, ${number(halves[1])} along columns. Chance is ln ${B} = ${number(Math.log(B))}.`;
  const counts = [...new Set(captions)].map((name) => captions.filter((other) => other === name).length);
  if (Math.max(...counts) > 1) {
    const minimum = counts.reduce((sum, count) => sum + count * Math.log(count), 0) / B;
    text += ` A caption occurs more than once here, so no model gets below ${number(minimum)}.`;
  }
  if (wrong) text += ` Image ${wrong} has the wrong caption ${quoted(captions[wrong - 1])}.`;
  return text;
}

// One digit, eight by eight, dark where the pen was.
const digit = (pixels, x, y, size) => pixels.map((grey, i) => grey > 0 && s("rect", { x: x + (i % 8) * size,
  y: y + Math.floor(i / 8) * size, width: size, height: size, class: "ch-plain", "fill-opacity": grey / 16 }));

function matrix({ images, names, wrong, columns }, { weights, cosines }, label) {
  const captions = captionsWith(names, wrong), parts = [], B = names.length, [CELL, LEFT, PIXEL, SMALL, RIGHT] = sizes();
  captions.forEach((name, j) => parts.push(s("text", { transform: `translate(${LEFT + (j + 0.5) * CELL},${TOP - 8}) rotate(-35)`,
    class: wrong && j === wrong - 1 ? "ch-key ch-strong" : "ch-key", text: name })));
  images.forEach((pixels, i) => {
    const y = TOP + i * CELL;
    parts.push(s("text", { x: 4, y: y + CELL / 2 + 5, class: "ch-query", text: String(i + 1) }), digit(pixels, 22, y + 4, PIXEL));
    weights[i].forEach((weight, j) => {
      const x = LEFT + j * CELL;
      parts.push(
        s("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3, class: "ch-cell", "fill-opacity": 0.55 * weight }),
        s("text", { x: x + CELL / 2, y: y + CELL / 2 - 1, "text-anchor": "middle", class: "ch-in-cell ch-strong", style: `font-size:${SMALL + 2}px`, text: number(weight) }),
        s("text", { x: x + CELL / 2, y: y + CELL / 2 + SMALL + 2, "text-anchor": "middle", class: "ch-in-cell", style: `font-size:${SMALL}px;opacity:0.8`, text: number(cosines[i][j]) }));
    });
    parts.push(s("rect", { x: LEFT + i * CELL + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3, class: "ch-chosen" }));
  });
  const frame = columns ? [LEFT - 2, TOP - 2, CELL + 4, B * CELL + 4] : [LEFT - 2, TOP - 2, B * CELL + 4, CELL + 4];
  parts.push(s("rect", { x: frame[0], y: frame[1], width: frame[2], height: frame[3], rx: 5, class: "ch-weight ch-stroke",
    "stroke-dasharray": "5 4" }));
  return kit.drawing(LEFT + B * CELL + RIGHT, TOP + B * CELL + 6, label, ...parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Images and captions");
  const most = Math.min(...model.get("names").map((names) => names.length));
  figure.choice("batch", "Batch", model.get("batches"));
  figure.choice("columns", "Softmax along", ["rows: an image chooses a caption", "columns: a caption chooses an image"]);
  figure.slider("temperature", { label: "Temperature T", min: -2, max: 0.6, step: 0.05, from: Math.log10,
    to: (exponent) => Number((10 ** exponent).toFixed(4)) });
  figure.slider("wrong", { label: "Wrong caption", min: 0, max: most, step: 1, show: (i) => (i ? `image ${i}` : "none") });
  const stage = h("div", {});
  figure.picture.append(stage, h("p", { class: "ch-caption",
    text: "In bold: the probability. Below it: the cosine. Framed: the matching pair. The dashed line surrounds probabilities that sum to 1." }));
  const traits = ["temperature", "columns", "wrong"];
  figure.draw([...traits, "batch"], () => {
    const at = model.get("batch"), inputs = Object.fromEntries(traits.map((name) => [name, model.get(name)]));
    for (const name of ["images", "names", "x", "y"]) inputs[name] = model.get(name)[at];
    const computed = compute(inputs), label = words(inputs, computed);
    stage.replaceChildren(matrix(inputs, computed, label));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
