// Noise that becomes a digit, step by step, with the weights that the exact denoiser gives to its images.
const { h, s, number } = kit;
const HIGHEST = 10, LOWEST = 0.02, STEPS = 60;
const LEVELS = [...Array.from({ length: STEPS }, (_, i) => HIGHEST * (LOWEST / HIGHEST) ** (i / (STEPS - 1))), 0];
const squaredDistance = (a, b) => a.reduce((sum, v, i) => sum + (v - b[i]) ** 2, 0);

// The soft dictionary: the noisy image is the query, the images are keys and values.
function optimalDenoiser(x, keys, sigma) {
  const weights = kit.softmax(keys.map((key) => -squaredDistance(x, key) / (2 * sigma ** 2)));
  return { weights, denoised: x.map((_, i) => keys.reduce((sum, key, j) => sum + weights[j] * key[i], 0)) };
}

function compute({ images, step, seed }) {
  const keys = images.map((image) => image.flat().map((v) => v / 8 - 1));
  let x = Array.from(kit.normals(seed, 64), (z) => HIGHEST * z);
  for (let i = 0; i < step; i++) {
    const { denoised } = optimalDenoiser(x, keys, LEVELS[i]);
    x = x.map((v, k) => v + ((LEVELS[i + 1] - LEVELS[i]) * (v - denoised[k])) / LEVELS[i]);
  }
  const sigma = LEVELS[step];
  return { sigma, x, ...optimalDenoiser(x, keys, Math.max(sigma, LOWEST)), distances: keys.map((key) => Math.sqrt(squaredDistance(x, key))) };
}

function words({ step, labels }, { sigma, weights, distances }) {
  const best = weights.indexOf(Math.max(...weights)), nearest = distances.indexOf(Math.min(...distances));
  return `Step ${step} of ${STEPS}, noise level ${number(sigma)}. ` +
    `Image ${best + 1}, a ${labels[best]}, has the largest weight: ${number(weights[best])}. ` +
    `The nearest image is image ${nearest + 1}, at a distance of ${number(distances[nearest])}.`;
}

// ---- Drawing -------------------------------------------------------------------------------------------
const clipped = (v) => Math.min(1, Math.max(0, v));
// An image of 8 by 8 pixels from -1 (paper) to 1 (ink), with its upper left corner at (left, top).
const pixels = (image, left, top, side) => image.map((v, k) => s("rect", { x: left + side * (k % 8), y: top + side * (k >> 3),
  width: side + 0.3, height: side + 0.3, class: "ch-plain", "fill-opacity": clipped((v + 1) / 2).toFixed(3) }));
const frame = (left, top, width, kind, more) => s("rect", { x: left, y: top, width, height: width, class: kind, style: "fill:none", ...more });

function large(image, label) {
  return kit.drawing(136, 136, label, frame(4, 4, 128, "ch-axis"), pixels(image, 4, 4, 16));
}
function gallery({ images, labels }, { weights }, label) {
  const columns = kit.narrow() ? 3 : 4, side = 6, cellWidth = 68, cellHeight = 76;
  return kit.drawing(columns * cellWidth, Math.ceil(images.length / columns) * cellHeight, label, images.map((image, j) => {
    const left = cellWidth * (j % columns) + 10, top = cellHeight * Math.floor(j / columns) + 4, isLargest = weights[j] === Math.max(...weights);
    return [s("rect", { x: left - 5, y: top - 3, width: 58, height: 72, rx: 4, class: "ch-cell", "fill-opacity": 0.55 * weights[j] }),
      pixels(image.flat().map((v) => v / 8 - 1), left, top, side), frame(left, top, 8 * side, "ch-axis"),
      s("text", { x: left + 4 * side, y: top + 8 * side + 16, "text-anchor": "middle", class: isLargest ? "ch-small ch-strong" : "ch-small",
        text: `${j + 1}: ${number(weights[j])}` })];
  }));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Noise becomes a digit");
  figure.slider("step", { label: "Steps", min: 0, max: STEPS, step: 1, show: (n) => `${n} of ${STEPS}` });
  figure.button("Other noise", () => figure.set("seed", model.get("seed") + 1));
  const captions = ["The noisy image", "The denoised image", "The images that the denoiser knows, and their weights"];
  const containers = captions.map(() => h("div", {}));
  const panel = (i) => h("div", {}, h("p", { class: "ch-caption", text: captions[i] }), containers[i]);
  figure.picture.append(h("div", { class: "ch-panels" },
    h("div", { class: "ch-panel" }, panel(0), panel(1)), h("div", { class: "ch-panel" }, panel(2))));
  figure.draw(["step", "seed"], () => {
    const state = Object.fromEntries(["images", "labels", "step", "seed"].map((name) => [name, model.get(name)]));
    const computed = compute(state), label = words(state, computed), noisy = computed.x.map((v) => v / Math.max(1, computed.sigma));
    containers[0].replaceChildren(large(noisy, `The noisy image. ${label}`));
    containers[1].replaceChildren(large(computed.denoised, "The denoised image, the weighted mean of the images"));
    containers[2].replaceChildren(gallery(state, computed, `Weights: ${kit.listed(state.labels.map((name, j) => `a ${name} ${number(computed.weights[j])}`))}`));
    figure.setStatus(label);
  });
  return figure.dispose;
}

export default { render, compute };
