// The prompt, kept, and after it each generated token: shaded by its probability, and ready to be another one.
Object.assign(kit, (() => {
  const { h, number, quoted } = kit;
  const MAX_SHOWN = 400;   // generated tokens that stay on the page

  function generatedText(writer, visible, onChoose) {
    const forgotten = h("span", { class: "ch-forgotten" }), prompt = h("span", {}), generated = h("span", { class: "ch-generated-tokens", role: "toolbar", "aria-label": "Generated tokens" });
    const alternativesBox = h("div", { class: "ch-alternatives", role: "group", "aria-label": "Other tokens", hidden: true });
    const text = h("p", { class: "ch-generated-text" }, forgotten, prompt, generated), element = h("div", { class: "ch-text-box" }, text, alternativesBox);
    let tokens = [], open = -1;

    function hideAlternatives() {
      const previous = open;
      open = -1;
      alternativesBox.hidden = true;
      if (previous >= 0) tokens[previous]?.focus();
      return previous >= 0;
    }
    function showAlternatives(position) {
      const { alternatives, probabilities } = writer.steps[position], names = writer.tokenizer.tokens(alternatives);
      open = position;
      alternativesBox.replaceChildren(h("span", { class: "ch-caption", text: "Alternatives:" }), ...names.map((name, i) => {
        const button = h("button", { type: "button", class: "ch-button", "aria-pressed": String(alternatives[i] === writer.generatedIds[position]) }, visible(name), " ", h("small", { text: number(probabilities[i]) }));
        button.addEventListener("click", () => { hideAlternatives(); onChoose(position, alternatives[i]); });
        return button;
      }));
      alternativesBox.hidden = false;
      alternativesBox.querySelector("button").focus({ preventScroll: true });
    }
    function tokenElement(position) {
      const { p } = writer.steps[position], [name] = writer.tokenizer.tokens([writer.generatedIds[position]]);
      const shown = name.startsWith("<") && writer.generatedIds[position] === writer.start[0] ? " ¶ " : name;
      return h("span", { class: "ch-word", role: "button", tabindex: position ? -1 : 0, title: number(p), text: shown, style: `--p:${p.toFixed(3)}`,
        "aria-label": `${quoted(visible(name))}, ${number(p)}: alternatives`, "data-position": position });
    }
    const positionOf = (target) => Number(target.closest(".ch-word")?.dataset.position ?? -1);
    generated.addEventListener("click", ({ target }) => { const position = positionOf(target); if (position >= 0) position === open ? hideAlternatives() : showAlternatives(position); });
    generated.addEventListener("keydown", (event) => {
      const position = positionOf(event.target), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step && tokens[position + step]) {
        tokens[position].tabIndex = -1;
        tokens[position + step].tabIndex = 0;
        tokens[position + step].focus();
      } else if (event.key === "Enter" || event.key === " ") showAlternatives(position);
      else return;
      event.preventDefault();
    });

    function show() {
      const { allIds, from, prompt: ids, generatedIds: generatedIds, tokenizer } = writer, [start] = writer.start;
      const decodePlain = (row) => tokenizer.decode(row.filter((id) => id !== start));
      forgotten.textContent = decodePlain(ids.slice(0, from));
      prompt.textContent = decodePlain(ids.slice(Math.min(from, ids.length)));
      let same = 0;
      while (same < tokens.length && same < generatedIds.length && tokens[same].step === writer.steps[same]) same++;
      if (same < tokens.length) hideAlternatives();
      tokens.splice(same).forEach((token) => token.remove());
      for (let position = same; position < generatedIds.length; position++) {
        const token = tokenElement(position);
        token.step = writer.steps[position];
        tokens.push(token);
        generated.append(token);
      }
      tokens.forEach((token, position) => {
        token.classList.toggle("ch-forgotten", ids.length + position < from);
        token.hidden = position < generatedIds.length - MAX_SHOWN;
      });
      if (allIds.length > ids.length) text.scrollTop = text.scrollHeight;
    }
    return { element, show, hideAlternatives };
  }

  return { generatedTextView: generatedText };
})());
