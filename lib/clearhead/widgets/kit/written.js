// The prompt, kept, and after it each generated token: shaded by its probability, and ready to be another one.
Object.assign(kit, (() => {
  const { h, number, quoted } = kit;
  const KEPT = 400;   // generated tokens that stay on the page

  function writtenText(writer, visible, choose) {
    const gone = h("span", { class: "ch-forgotten" }), prompt = h("span", {}), more = h("span", { class: "ch-more", role: "toolbar", "aria-label": "Generated tokens" });
    const offer = h("div", { class: "ch-offer", role: "group", "aria-label": "Other tokens", hidden: true });
    const text = h("p", { class: "ch-written" }, gone, prompt, more), element = h("div", { class: "ch-page" }, text, offer);
    let tokens = [], open = -1;

    function fold() {
      const was = open;
      open = -1;
      offer.hidden = true;
      if (was >= 0) tokens[was]?.focus();
      return was >= 0;
    }
    function unfold(place) {
      const { others, shares } = writer.steps[place], names = writer.tokenizer.tokens(others);
      open = place;
      offer.replaceChildren(h("span", { class: "ch-caption", text: "Alternatives:" }), ...names.map((name, i) => {
        const button = h("button", { type: "button", class: "ch-button", "aria-pressed": String(others[i] === writer.more[place]) }, visible(name), " ", h("small", { text: number(shares[i]) }));
        button.addEventListener("click", () => { fold(); choose(place, others[i]); });
        return button;
      }));
      offer.hidden = false;
      offer.querySelector("button").focus({ preventScroll: true });
    }
    function made(place) {
      const { p } = writer.steps[place], [name] = writer.tokenizer.tokens([writer.more[place]]);
      const shown = name.startsWith("<") && writer.more[place] === writer.start[0] ? " ¶ " : name;
      return h("span", { class: "ch-word", role: "button", tabindex: place ? -1 : 0, title: number(p), text: shown, style: `--p:${p.toFixed(3)}`,
        "aria-label": `${quoted(visible(name))}, ${number(p)}: alternatives`, "data-place": place });
    }
    const placeOf = (target) => Number(target.closest(".ch-word")?.dataset.place ?? -1);
    more.addEventListener("click", ({ target }) => { const place = placeOf(target); if (place >= 0) place === open ? fold() : unfold(place); });
    more.addEventListener("keydown", (event) => {
      const place = placeOf(event.target), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step && tokens[place + step]) {
        tokens[place].tabIndex = -1;
        tokens[place + step].tabIndex = 0;
        tokens[place + step].focus();
      } else if (event.key === "Enter" || event.key === " ") unfold(place);
      else return;
      event.preventDefault();
    });

    function show() {
      const { all, from, prompt: ids, more: written, tokenizer } = writer, [start] = writer.start;
      const plain = (row) => tokenizer.decode(row.filter((id) => id !== start));
      gone.textContent = plain(ids.slice(0, from));
      prompt.textContent = plain(ids.slice(Math.min(from, ids.length)));
      let same = 0;
      while (same < tokens.length && same < written.length && tokens[same].step === writer.steps[same]) same++;
      if (same < tokens.length) fold();
      tokens.splice(same).forEach((token) => token.remove());
      for (let place = same; place < written.length; place++) {
        const token = made(place);
        token.step = writer.steps[place];
        tokens.push(token);
        more.append(token);
      }
      tokens.forEach((token, place) => {
        token.classList.toggle("ch-forgotten", ids.length + place < from);
        token.hidden = place < written.length - KEPT;
      });
      if (all.length > ids.length) text.scrollTop = text.scrollHeight;
    }
    return { element, show, fold };
  }

  return { writtenText };
})());
