// Elements, and the frame of a figure with its labelled native controls.
Object.assign(kit, (() => {
  let made = 0;
  const unique = () => `ch-${Date.now().toString(36)}-${made++}`;
  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {}))
      if (name === "text") element.textContent = value;
      else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
    element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
    return element;
  }
  const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  // Text with its symbols set: d_k and W_out have an index.
  const symbols = (text) =>
    String(text).split(/\b([A-Za-z]_(?:[a-z\d]{1,2}|out))(?![\w(])/).filter(Boolean).map((part) => {
      const [letter, index] = part.split("_");
      return index && letter.length === 1 ? h("span", { class: "ch-symbol" }, letter, h("sub", { text: index })) : document.createTextNode(part);
    });
  // Text of a question: plain, with `code` between backticks.
  const marked = (text) =>
    text.split("`").flatMap((part, i) => (i % 2 ? h("code", { text: part }) : symbols(part)));
  const drawing = (width, height, label, ...children) =>
    s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "ch-drawing" },
      ...children);
  // A picture that would shrink below reading size on a phone is drawn in another form there.
  const phone = matchMedia("(max-width: 30rem)"), narrow = () => phone.matches;
  // What the reader answered stays in the reader's browser; a page from disk may not be allowed to keep it.
  // Each copy of the book on one host keeps its own; what was kept before copies were told apart is still found.
  const root = document.documentElement.dataset.content_root;
  const copy = root === undefined ? "" : new URL(root, location.href).pathname + " ";
  function recall(name) { try { return JSON.parse(localStorage.getItem("clearhead:" + copy + name) ?? earlier(name)); } catch { return null; } }
  function remember(name, value) { try { localStorage.setItem("clearhead:" + copy + name, JSON.stringify(value)); } catch { /* kept on this page only */ } }

  // Belongs to the copy that asks first, as in storage.js.
  function earlier(name) {
    const found = copy ? localStorage.getItem("clearhead:" + name) : null;
    if (found === null) return null;
    if (localStorage.getItem("clearhead owner") === null) localStorage.setItem("clearhead owner", copy.trim());
    return localStorage.getItem("clearhead owner") === copy.trim() ? found : null;
  }

  // ---- The frame ---------------------------------------------------------------------------------------
  // A control writes a trait of the model; a change of a trait, from here or from Python, draws again.
  function figure(model, el, name) {
    const controls = h("div", { class: "ch-controls" }), picture = h("div", { class: "ch-stage" });
    const line = h("p", { class: "ch-line", role: "status" });
    const again = h("button", { type: "button", class: "ch-button", disabled: true, text: "Start again" });
    const link = h("a", { class: "ch-state", href: "#", hidden: true, text: "Link to this state" });
    const foot = h("div", { class: "ch-foot" }, again, link);
    const headline = model.get("headline");
    const box = h("div", { class: "ch-figure", role: "group", "aria-label": name },
      headline ? h("p", { class: "ch-headline" }, symbols(headline)) : null, controls, picture, line, foot);
    // JupyterLab would move, cut or add a cell: it hears Escape, Shift+Enter and what goes with Ctrl or Cmd.
    box.addEventListener("keydown", (event) => {
      const lab = event.ctrlKey || event.metaKey || event.key === "Escape" || (event.shiftKey && event.key === "Enter");
      if (!lab) event.stopPropagation();
    });
    el.append(box);
    const heard = [], painted = [];
    const on = (trait, react) => { model.on("change:" + trait, react); heard.push(["change:" + trait, react]); };
    // What the reader changed: its first value, for Start again, and its value now, for the link.
    const begun = {};
    const set = (trait, value) => {
      if (!(trait in begun)) begun[trait] = model.get(trait);
      model.set(trait, value);
      model.save_changes();
      again.disabled = false;
      follow();
    };
    // Several changes, drawn once.
    let held;
    function together(change) {
      const due = held = new Set();
      try { change(); } finally { held = undefined; }
      for (const paint of due) paint();
    }
    // Twice, since a value may be allowed only after another one has changed.
    const put = (values) => together(() => {
      for (let pass = 0; pass < 2; pass++)
        for (const [trait, value] of Object.entries(values)) try { set(trait, value); } catch { /* the second pass */ }
    });
    again.addEventListener("click", () => { put(begun); again.disabled = true; again.blur(); });
    // In a page of the book a fragment of the address keeps the state; it needs no server and no clipboard.
    const place = () => [...document.querySelectorAll(".ch-widget")].indexOf(box.closest(".ch-widget"));
    const kept = () => JSON.stringify(Object.fromEntries(Object.keys(begun).map((trait) => [trait, model.get(trait)])));
    function follow() { link.hidden = !box.closest(".ch-widget"); }
    // Written when it is wanted, not at every step of a figure that runs.
    function write() {
      const text = kept();
      link.hidden = text.length > 2000;
      link.href = `#figure-${place()}=${encodeURIComponent(text)}`;
    }
    for (const wanted of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(wanted, write);
    const alike = (a, b) => typeof a === typeof b && Array.isArray(a) === Array.isArray(b);
    function restore() {
      const [, number_, text] = location.hash.match(/^#figure-(\d+)=(.*)$/) ?? [];
      if (!text || !box.closest(".ch-widget") || Number(number_) !== place()) return;
      let values = {};
      try { values = JSON.parse(decodeURIComponent(text)); } catch { return; }
      put(Object.fromEntries(Object.entries(values).filter(([trait, value]) => alike(value, model.get(trait)))));
      box.scrollIntoView({ block: "center" });
    }
    addEventListener("hashchange", restore);
    setTimeout(restore);   // after the figure has been drawn

    // The text line says what the picture shows. While a slider moves it waits a moment, so that a screen
    // reader hears the last sentence and not all of them.
    let waiting;
    function say(text) {
      clearTimeout(waiting);
      if (!line.textContent) line.replaceChildren(...symbols(text));
      else waiting = setTimeout(() => line.replaceChildren(...symbols(text)), 120);
    }
    function labelled(label, input, ...more) {
      input.id = unique();
      const row = h("div", { class: "ch-control" }, h("label", { for: input.id }, symbols(label)), input, ...more);
      controls.append(row);
      return row;
    }
    // to/from: between the slider's position and the trait, for scales that are not linear.
    function slider(trait, { label, min, max, step, show = (x) => kit.number(x), to = (x) => x, from = (x) => x }) {
      const input = h("input", { type: "range", min, max, step });
      const output = h("output", { "aria-live": "off" });   // the slider says its own value
      const follow = () => {
        const value = model.get(trait);
        input.value = from(value);
        output.textContent = show(value);
        input.setAttribute("aria-valuetext", show(value));
      };
      input.addEventListener("input", () => set(trait, to(Number(input.value))));
      labelled(label, input, output);
      output.htmlFor = input.id;
      on(trait, follow);
      follow();
      return input;
    }
    // Letters that are typed; no key may reach JupyterLab's shortcuts.
    function field(trait, label) {
      const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
      const follow = () => { if (input.value !== model.get(trait)) input.value = model.get(trait); };
      input.addEventListener("input", () => set(trait, input.value));
      input.addEventListener("keydown", (event) => event.stopPropagation());
      labelled(label, input).classList.add("ch-field");
      on(trait, follow);
      follow();
      return input;
    }
    function toggle(trait, label) {
      const input = h("input", { type: "checkbox" });
      const follow = () => { input.checked = model.get(trait); };
      input.addEventListener("change", () => set(trait, input.checked));
      labelled(label, input).classList.add("ch-toggle");
      on(trait, follow);
      follow();
      return input;
    }
    // One of several: native radio buttons; the trait holds the place of the chosen one.
    function choice(trait, legend, labels, chips = false) {
      const group = unique(), inputs = [];
      const follow = () => inputs.forEach((input, i) => { input.checked = i === model.get(trait); });
      const rows = labels.map((label, i) => {
        const input = h("input", { type: "radio", name: group, value: i, id: unique() });
        input.addEventListener("change", () => set(trait, i));
        inputs.push(input);
        return h("span", { class: "ch-option" }, input, h("label", { for: input.id }, symbols(label)));
      });
      const set_ = h("fieldset", { class: chips ? "ch-chips" : "ch-choice" }, h("legend", { text: legend }), ...rows);
      controls.append(set_);
      on(trait, follow);
      follow();
      return set_;
    }
    function button(label, act) {
      if (label === again.textContent) again.hidden = true;   // the figure brings its own
      const element = h("button", { type: "button", class: "ch-button", text: label });
      element.addEventListener("click", act);
      controls.append(element);
      return element;
    }
    function draw(traits, paint) {
      const now = () => (held ? held.add(paint) : paint());
      traits.forEach((trait) => on(trait, now));
      phone.addEventListener("change", paint);
      painted.push(paint);
      paint();
    }
    // What is drawn as wide as its place is drawn anew where the place changes, so that words keep their size.
    const sizes = [];
    function fit(element, paint) {
      let seen = element.clientWidth;
      sizes.push(new ResizeObserver(() => { if (element.clientWidth !== seen) { seen = element.clientWidth; paint(); } }));
      sizes.at(-1).observe(element);
    }
    const stop = () => {
      clearTimeout(waiting);
      sizes.forEach((each) => each.disconnect());
      removeEventListener("hashchange", restore);
      painted.forEach((paint) => phone.removeEventListener("change", paint));
      heard.forEach(([event, react]) => model.off(event, react));
    };
    return { box, controls, picture, foot, on, set, say, slider, field, toggle, choice, button, draw, fit, together, stop };
  }

  return { unique, h, s, symbols, marked, drawing, narrow, recall, remember, figure };
})());
