// A sentence to touch: point at a word, and arcs show how much it looks at every other word.
const { h, s, number, quoted } = kit;

function compute({ Q, K, temperature }) {
  const scale = Math.sqrt(K[0].length) * temperature;
  return { weights: Q.map((q) => kit.softmax(K.map((k) => kit.dot(q, k) / scale))) };
}

function words(tokens, chosen, weights) {
  const order = weights.map((_, j) => j).sort((a, b) => weights[b] - weights[a] || a - b);
  const withWeight = (j) => `${quoted(tokens[j])}, ${number(weights[j])}`;
  return `${quoted(tokens[chosen])} looks most at ${withWeight(order[0])}, then at ${withWeight(order[1])}.`;
}

// An arc from the chosen word to each word that it looks at, as thick as the weight.
function arcs(svg, chips, chosen, weights) {
  const frame = svg.getBoundingClientRect();
  if (!frame.width) return;
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  const top = (chip) => {
    const box = chip.getBoundingClientRect();
    return [box.left + box.width / 2 - frame.left, box.top - frame.top];
  };
  const [x0, y0] = top(chips[chosen]);
  svg.replaceChildren(...weights.map((weight, j) => {
    const [x1, y1] = top(chips[j]);
    if (weight < (y1 === y0 ? 0.02 : 0.1) || j === chosen) return null;   // a thin line across a row of words only disturbs
    const rise = Math.min(52, 18 + Math.abs(x1 - x0) * 0.1);
    return s("path", { d: `M${x0},${y0} C${x0},${y0 - rise} ${x1},${y1 - rise} ${x1},${y1}`,
      style: `stroke-width:${1 + 7 * weight}px;stroke-opacity:${0.3 + 0.6 * weight}` });
  }).filter(Boolean));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "A sentence whose words attend to each other");
  const tokens = model.get("tokens"), heads = model.get("heads");
  // Another question comes with a word that it has an answer for, unless the chosen word is one.
  if (heads.length > 1) figure.choice("head", "What does this head ask?", heads.map((head) => head.name)).addEventListener("change", () => {
    const { asking = [] } = heads[model.get("head")];
    if (asking.length && !asking.includes(model.get("chosen"))) figure.set("chosen", asking[0]);
  });
  figure.slider("temperature", { label: "temperature", min: 0.2, max: 4, step: 0.1 });
  const sentence = figure.choice("chosen", "Choose a word", tokens, true);
  sentence.querySelector("legend").className = "ch-caption";
  const chips = [...sentence.querySelectorAll("label")];
  const numbers = chips.map((chip) => chip.parentElement.appendChild(h("span", { class: "ch-number", "aria-hidden": "true" })));
  // A mouse that passes over a word chooses it; a finger or the keyboard chooses through the radio button.
  chips.forEach((chip, i) => chip.parentElement.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") figure.set("chosen", i);
  }));
  const svg = s("svg", { class: "ch-arcs", "aria-hidden": "true" });
  figure.picture.append(h("div", { class: "ch-sentence" }, sentence, svg),
    h("p", { class: "ch-caption", text: model.get("note") }));
  let currentWeights;
  const lines = () => currentWeights && arcs(svg, chips, model.get("chosen"), currentWeights);
  figure.draw(["chosen", "head", "temperature"], () => {
    const { Q, K } = heads[model.get("head")], chosen = model.get("chosen");
    currentWeights = compute({ Q, K, temperature: model.get("temperature") }).weights[chosen];
    chips.forEach((chip, j) => chip.style.setProperty("--weight", currentWeights[j].toFixed(3)));
    numbers.forEach((place, j) => { place.textContent = currentWeights[j] < 0.005 ? "" : number(currentWeights[j]); });
    lines();
    figure.setStatus(words(tokens, chosen, currentWeights));
  });
  const resizeObserver = new ResizeObserver(lines);
  resizeObserver.observe(figure.box);
  return () => { resizeObserver.disconnect(); figure.dispose(); };
}

export default { render, compute };
