// Check yourself: each choice says why it is right or wrong; the end lists the ideas that misled you.
const { h, marked } = kit;

// answers: the checked choice of each question, -1 when open. met: [question, choice] of every wrong choice so far.
function compute({ questions, answers, met }) {
  const isRight = (q, choice) => questions[q].choices[choice]?.right === true;
  return {
    answered: answers.filter((choice) => choice >= 0).length,
    right: answers.filter((choice, q) => choice >= 0 && isRight(q, choice)).length,
    misconceptions: met.map(([q, choice]) => questions[q].choices[choice]),
  };
}

function words({ answered, right }, count) {
  if (answered === 0) return `${count} questions. Your answers stay in this browser.`;
  const open = answered < count ? ` ${count - answered} to go.` : "";
  return `${right} of ${count} right, ${answered} answered.${open}`;
}

// One question: native radio buttons, a button, and the explanation of the choice.
function ask(question, number, check) {
  const group = kit.unique();
  const inputs = question.choices.map((_, i) => h("input", { type: "radio", name: group, value: i, id: kit.unique() }));
  const rows = question.choices.map((choice, i) =>
    h("span", { class: "ch-option" }, inputs[i], h("label", { for: inputs[i].id }, marked(choice.text))));
  const verdict = h("p", { class: "ch-verdict", role: "status" });
  const button = h("button", { type: "button", class: "ch-button", text: `Check answer ${number}` });
  button.addEventListener("click", () => check(inputs.findIndex((input) => input.checked)));
  const element = h("div", { class: "ch-question" },
    h("fieldset", { class: "ch-choice" }, h("legend", {}, `${number}. `, marked(question.question)), rows), button, verdict);
  function show(choice) {
    if (choice < 0) return;
    const { right, why } = question.choices[choice];
    inputs[choice].checked = true;
    verdict.className = `ch-verdict ${right ? "ch-right" : "ch-wrong"}`;
    verdict.replaceChildren(h("b", { text: right ? "Right. " : "Wrong. " }), ...marked(why));
  }
  const complain = () => { verdict.textContent = "Choose an answer first."; };
  return { element, show, complain };
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Check yourself"), name = "selfcheck:" + model.get("chapter");
  figure.box.classList.add("ch-quiz");
  figure.foot.remove();
  const questions = model.get("questions"), earlier = kit.recall(name);
  if (earlier?.answers?.length === questions.length) {
    figure.set("answers", earlier.answers);
    figure.set("met", earlier.met ?? []);
  }
  const asked = questions.map((question, q) => ask(question, q + 1, (choice) => {
    if (choice < 0) return asked[q].complain();
    const answers = model.get("answers").map((old, i) => (i === q ? choice : old)), met = model.get("met");
    const known = met.some(([a, b]) => a === q && b === choice);
    if (!question.choices[choice].right && !known) figure.set("met", [...met, [q, choice]]);
    kit.remember(name, { answers, met: model.get("met") });
    figure.set("answers", answers);
  }));
  const ideas = h("div", {});
  figure.controls.remove();
  figure.picture.append(...asked.map((question) => question.element), ideas);
  figure.draw(["answers", "met"], () => {
    const answers = model.get("answers"), found = compute({ questions, answers, met: model.get("met") });
    asked.forEach((question, q) => question.show(answers[q]));
    const done = found.answered === questions.length && found.misconceptions.length > 0;
    ideas.replaceChildren(...(done ? [h("p", { class: "ch-question", text: "Ideas that misled you in this chapter:" }),
      h("ul", {}, found.misconceptions.map((choice) => h("li", {}, h("em", {}, marked(choice.text)), " ", marked(choice.why))))] : []));
    figure.say(words(found, questions.length));
  });
  return figure.stop;
}

export default { render, compute };
