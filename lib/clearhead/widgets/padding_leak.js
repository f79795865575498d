// Add padding behind a short sentence: how much attention does it take, without a mask and with one?
const { number, quoted } = kit;

function compute({ scores, pads, masked }) {
  const padding = Array.from({ length: pads }, () => (masked ? -Infinity : 0));
  const weights = kit.softmax([...scores, ...padding]);
  return { real: weights.slice(0, scores.length), leak: weights.slice(scores.length).reduce((a, b) => a + b, 0) };
}

function words(model, { real, leak }) {
  const pads = model.get("pads"), tokens = model.get("tokens"), top = real.indexOf(Math.max(...real));
  const how = model.get("masked") ? "with a mask" : "without a mask";
  const many = pads === 1 ? "1 padding token takes" : `${pads} padding tokens take`;
  return `${many} ${number(100 * leak, 0)} % of the attention, ${how}. ${quoted(tokens[top])} keeps ${number(100 * real[top], 0)} %.`;
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Attention on padding");
  figure.slider("pads", { label: "Padding tokens (zero keys)", min: 0, max: 60, step: 1, show: (x) => String(x) });
  figure.toggle("masked", "padding mask");
  figure.draw(["tokens", "scores", "pads", "masked"], () => {
    const computed = compute({ scores: model.get("scores"), pads: model.get("pads"), masked: model.get("masked") });
    figure.picture.replaceChildren(kit.bars([...model.get("tokens"), "all padding"], [...computed.real, computed.leak]));
    figure.setStatus(words(model, computed));
  });
  return figure.dispose;
}

export default { render, compute };
