// Guess before the experiment: one question, one guess, then the answer. The guess stays in this browser.
const { h, withCode } = kit;

function compute({ options, answer, guess }) {
  return { answered: guess >= 0 && guess < options.length, right: guess === answer };
}

// A sentence ends once: an option may bring its own full stop.
const withFullStop = (text) => (/[.?!]$/.test(text) ? text : text + ".");

function render({ model, el }) {
  const id = model.get("question_id"), options = model.get("options"), answer = model.get("answer");
  const figure = kit.figure(model, el, "Predict before you look");
  figure.box.classList.add("ch-quiz", "ch-question");
  figure.footer.remove();   // a guess is made once
  const earlier = kit.readStored("predict:" + id);
  if (Number.isInteger(earlier) && model.get("guess") < 0) figure.set("guess", earlier);

  const group = kit.unique();
  const inputs = options.map((_, i) => h("input", { type: "radio", name: group, value: i, id: kit.unique() }));
  const rows = options.map((option, i) =>
    h("span", { class: "ch-option" }, inputs[i], h("label", { for: inputs[i].id }, withCode(option))));
  const fieldset = h("fieldset", { class: "ch-choice" }, h("legend", {}, "Predict. ", withCode(model.get("question"))), rows);
  figure.controls.append(fieldset);
  const button = figure.button("Check my guess", () => {
    const guess = inputs.findIndex((input) => input.checked);
    if (guess < 0) return figure.setStatus("Choose an answer first: even a wrong guess helps you to learn.");
    kit.store("predict:" + id, guess);
    figure.set("guess", guess);
  });
  const verdict = h("p", { class: "ch-verdict", role: "status" });
  figure.picture.remove();
  figure.box.insertBefore(verdict, figure.box.lastChild);
  fieldset.addEventListener("change", () =>
    figure.setStatus(`Chosen: ${withFullStop(options[inputs.findIndex((input) => input.checked)])} Press “${button.textContent}”.`));

  figure.draw(["guess"], () => {
    const guess = model.get("guess"), { answered, right } = compute({ options, answer, guess });
    if (!answered) return;
    inputs[guess].checked = true;
    button.textContent = "Check another guess";
    verdict.className = `ch-verdict ${right ? "ch-right" : "ch-wrong"}`;
    verdict.replaceChildren(h("b", { text: right ? "Yes: " : "No: " }), ...withCode(withFullStop(options[answer])), " ",
      ...withCode(model.get("reveal")));
    figure.setStatus("");
    // The page opens the output of the experiment that follows.
    el.dispatchEvent(new CustomEvent("clearhead:guess", { bubbles: true, composed: true, detail: { id } }));
  });
  return figure.dispose;
}

export default { render, compute };
