// Guess before the experiment: one question, one guess, then the answer. The guess stays in this browser.
const { h, marked } = kit;

function compute({ options, answer, guess }) {
  return { made: guess >= 0 && guess < options.length, right: guess === answer };
}

// A sentence ends once: an option may bring its own full stop.
const ended = (text) => (/[.?!]$/.test(text) ? text : text + ".");

function render({ model, el }) {
  const id = model.get("question_id"), options = model.get("options"), answer = model.get("answer");
  const figure = kit.figure(model, el, "Predict before you look");
  figure.box.classList.add("ch-quiz", "ch-question");
  figure.foot.remove();   // a guess is made once
  const earlier = kit.recall("predict:" + id);
  if (Number.isInteger(earlier) && model.get("guess") < 0) figure.set("guess", earlier);

  const group = kit.unique();
  const inputs = options.map((_, i) => h("input", { type: "radio", name: group, value: i, id: kit.unique() }));
  const rows = options.map((option, i) =>
    h("span", { class: "ch-option" }, inputs[i], h("label", { for: inputs[i].id }, marked(option))));
  const ask = h("fieldset", { class: "ch-choice" }, h("legend", {}, "Predict. ", marked(model.get("question"))), rows);
  figure.controls.append(ask);
  const button = figure.button("Check my guess", () => {
    const guess = inputs.findIndex((input) => input.checked);
    if (guess < 0) return figure.say("Choose an answer first: even a wrong guess helps you to learn.");
    kit.remember("predict:" + id, guess);
    figure.set("guess", guess);
  });
  const verdict = h("p", { class: "ch-verdict", role: "status" });
  figure.picture.remove();
  figure.box.insertBefore(verdict, figure.box.lastChild);
  ask.addEventListener("change", () =>
    figure.say(`Chosen: ${ended(options[inputs.findIndex((input) => input.checked)])} Press “${button.textContent}”.`));

  figure.draw(["guess"], () => {
    const guess = model.get("guess"), { made, right } = compute({ options, answer, guess });
    if (!made) return;
    inputs[guess].checked = true;
    button.textContent = "Check another guess";
    verdict.className = `ch-verdict ${right ? "ch-right" : "ch-wrong"}`;
    verdict.replaceChildren(h("b", { text: right ? "Yes: " : "No: " }), ...marked(ended(options[answer])), " ",
      ...marked(model.get("reveal")));
    figure.say("");
    // The page opens the output of the experiment that follows.
    el.dispatchEvent(new CustomEvent("clearhead:guess", { bubbles: true, composed: true, detail: { id } }));
  });
  return figure.stop;
}

export default { render, compute };
