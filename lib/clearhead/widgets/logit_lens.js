// The logit lens on a real model: choose a sentence and a token; a row for each block shows what it would predict there.
const { h, s, number, quoted } = kit;

// Probabilities come as integers, in steps of 1/250. `since`: from which block on the word of the last block leads.
function compute({ predicted_words, probabilities, sentence, position }) {
  const index = Math.min(position, probabilities[sentence][0].length - 1);
  const p = probabilities[sentence].map((block) => block[index].map((code) => code / 250));
  const first = predicted_words[sentence].map((block) => block[index][0]);
  let since = first.length - 1;
  while (since > 0 && first[since - 1] === first[first.length - 1]) since -= 1;
  return { p, since };
}

function words(token, predictions, { p, since }) {
  return `After ${quoted(token)} the model predicts ${quoted(predictions[predictions.length - 1][0])} with probability ${number(p[p.length - 1][0])}. ` +
    `In the logit lens, this word takes the lead after ${since} of ${p.length - 1} blocks.`;
}

// A space is a word, too, and so is a new line: they are shown as signs.
const visible = (word) => word.replace(/^ /, "").replaceAll("\n", "↵").replaceAll("\u00a0", "⍽") || "␣";

// One row per block: its number, a bar for the most probable word, the word, and the two after it where there is room.
function chart(predictions, { p, since }, wide, label) {
  const step = 20, left = 34, long = Math.max(90, 0.4 * wide), parts = [];
  predictions.forEach((three, block) => {
    const y = 12 + block * step, isFinal = block >= since;
    parts.push(s("text", { x: left - 8, y: y + 13, "text-anchor": "end", class: "ch-small", text: block }));
    parts.push(s("rect", { x: left, y: y + 2, width: Math.max(1, long * p[block][0]), height: step - 5, rx: 2,
      fill: isFinal ? "var(--ch-weight)" : "var(--ch-soft)", "fill-opacity": isFinal ? 0.85 : 0.5 }));
    parts.push(s("text", { x: left + long + 10, y: y + 13, class: isFinal ? "ch-strong" : "", text: visible(three[0]) }));
    if (wide >= 480)
      parts.push(s("text", { x: left + long + 130, y: y + 13, class: "ch-small",
        text: three.slice(1).map((word, i) => `${visible(word)} ${number(p[block][i + 1])}`).join("   ") }));
  });
  return kit.drawing(wide, 20 + predictions.length * step, label, parts);
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "The logit lens on SmolLM2");
  const get = (name) => model.get(name), tokens = () => get("tokens")[get("sentence")];
  const currentPosition = () => Math.min(get("position"), tokens().length - 1);
  figure.choice("sentence", "Recorded sentence", get("sentences"));
  const longest = Math.max(...get("tokens").map((each) => each.length));
  const slider = figure.slider("position", { label: "after token", min: 0, max: longest - 1, step: 1, show: () => tokens()[currentPosition()] });
  const map = h("div", {});
  figure.picture.append(h("p", { class: "ch-caption",
    text: "One row for each block; row 0 is before the first block. The bar is the probability of the most probable word, and is coloured where that word is the final prediction." }), map);
  const paint = () => {
    const inputs = Object.fromEntries(["predicted_words", "probabilities", "sentence", "position"].map((name) => [name, get(name)]));
    const computed = compute(inputs), predictions = get("predicted_words")[get("sentence")].map((block) => block[currentPosition()]);
    slider.max = tokens().length - 1;
    slider.value = currentPosition();
    slider.parentElement.querySelector("output").textContent = tokens()[currentPosition()];
    slider.setAttribute("aria-valuetext", tokens()[currentPosition()]);
    const text = words(tokens()[currentPosition()], predictions, computed);
    map.replaceChildren(chart(predictions, computed, Math.min(640, map.clientWidth || 640), text));
    figure.setStatus(text);
  };
  figure.draw(["sentence", "position"], paint);
  figure.onResize(map, paint);
  return figure.dispose;
}

export default { render, compute };
