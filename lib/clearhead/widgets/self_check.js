// Check yourself: each choice says why it is right or wrong; the end lists the ideas that misled you.
const { h, withCode } = kit;

// answers: the checked choice of each question, -1 when open. met: [question, choice] of every wrong choice so far.
function compute({ questions, answers, wrong_choices }) {
  const isRight = (q, choice) => questions[q].choices[choice]?.right === true;
  return {
    answered: answers.filter((choice) => choice >= 0).length,
    right: answers.filter((choice, q) => choice >= 0 && isRight(q, choice)).length,
    misconceptions: wrong_choices.map(([q, choice]) => questions[q].choices[choice]),
  };
}

function words({ answered, right }, count) {
  if (answered === 0) return `${count} questions. Your answers stay in this browser.`;
  const open = answered < count ? ` ${count - answered} to go.` : "";
  return `${right} of ${count} right, ${answered} answered.${open}`;
}

// One question: native radio buttons, a button, and the explanation of the choice.
function questionView(question, number, check) {
  const group = kit.unique();
  const inputs = question.choices.map((_, i) => h("input", { type: "radio", name: group, value: i, id: kit.unique() }));
  const rows = question.choices.map((choice, i) =>
    h("span", { class: "ch-option" }, inputs[i], h("label", { for: inputs[i].id }, withCode(choice.text))));
  const verdict = h("p", { class: "ch-verdict", role: "status" });
  const button = h("button", { type: "button", class: "ch-button", text: `Check answer ${number}` });
  button.addEventListener("click", () => check(inputs.findIndex((input) => input.checked)));
  const element = h("div", { class: "ch-question" },
    h("fieldset", { class: "ch-choice" }, h("legend", {}, `${number}. `, withCode(question.question)), rows), button, verdict);
  function show(choice) {
    if (choice < 0) return;
    const { right, why } = question.choices[choice];
    inputs[choice].checked = true;
    verdict.className = `ch-verdict ${right ? "ch-right" : "ch-wrong"}`;
    verdict.replaceChildren(h("b", { text: right ? "Right. " : "Wrong. " }), ...withCode(why));
  }
  const showMissing = () => { verdict.textContent = "Choose an answer first."; };
  return { element, show, showMissing };
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Check yourself"), name = "selfcheck:" + model.get("chapter");
  figure.box.classList.add("ch-quiz");
  figure.footer.remove();
  const questions = model.get("questions"), earlier = kit.readStored(name);
  if (earlier?.answers?.length === questions.length) {
    figure.set("answers", earlier.answers);
    figure.set("wrong_choices", earlier.wrong_choices ?? []);
  }
  const questionViews = questions.map((question, q) => questionView(question, q + 1, (choice) => {
    if (choice < 0) return questionViews[q].showMissing();
    const answers = model.get("answers").map((old, i) => (i === q ? choice : old)), wrong_choices = model.get("wrong_choices");
    const isKnown = wrong_choices.some(([a, b]) => a === q && b === choice);
    if (!question.choices[choice].right && !isKnown) figure.set("wrong_choices", [...wrong_choices, [q, choice]]);
    kit.store(name, { answers, wrong_choices: model.get("wrong_choices") });
    figure.set("answers", answers);
  }));
  const misconceptionList = h("div", {});
  figure.controls.remove();
  figure.picture.append(...questionViews.map((question) => question.element), misconceptionList);
  figure.draw(["answers", "wrong_choices"], () => {
    const answers = model.get("answers"), computed = compute({ questions, answers, wrong_choices: model.get("wrong_choices") });
    questionViews.forEach((question, q) => question.show(answers[q]));
    const done = computed.answered === questions.length && computed.misconceptions.length > 0;
    misconceptionList.replaceChildren(...(done ? [h("p", { class: "ch-question", text: "Ideas that misled you in this chapter:" }),
      h("ul", {}, computed.misconceptions.map((choice) => h("li", {}, h("em", {}, withCode(choice.text)), " ", withCode(choice.why))))] : []));
    figure.setStatus(words(computed, questions.length));
  });
  return figure.dispose;
}

export default { render, compute };
