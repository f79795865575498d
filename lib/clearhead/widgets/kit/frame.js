// Elements, and the frame of a figure with its labelled native controls.
Object.assign(kit, (() => {
  let count = 0;
  const unique = () => `ch-${Date.now().toString(36)}-${count++}`;
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
  const withSymbols = (text) =>
    String(text).split(/\b([A-Za-z]_(?:[a-z\d]{1,2}|out))(?![\w(])/).filter(Boolean).map((part) => {
      const [letter, index] = part.split("_");
      return index && letter.length === 1 ? h("span", { class: "ch-symbol" }, letter, h("sub", { text: index })) : document.createTextNode(part);
    });
  // Text of a question: plain, with `code` between backticks.
  const withCode = (text) =>
    text.split("`").flatMap((part, i) => (i % 2 ? h("code", { text: part }) : withSymbols(part)));
  const drawing = (width, height, label, ...children) =>
    s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "ch-drawing" },
      ...children);
  // A picture that would shrink below reading size on a phone is drawn in another form there.
  const narrowScreen = matchMedia("(max-width: 30rem)"), narrow = () => narrowScreen.matches;
  // What the reader answered stays in the reader's browser; a page from disk may not be allowed to keep it.
  // Each copy of the book on one host keeps its own; what was kept before copies were told apart is still found.
  const root = document.documentElement.dataset.content_root;
  const copy = root === undefined ? "" : new URL(root, location.href).pathname + " ";
  function readStored(name) { try { return JSON.parse(localStorage.getItem("clearhead:" + copy + name) ?? earlier(name)); } catch { return null; } }
  function store(name, value) { try { localStorage.setItem("clearhead:" + copy + name, JSON.stringify(value)); } catch { /* kept on this page only */ } }

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
    const resetButton = h("button", { type: "button", class: "ch-button", disabled: true, text: "Start again" });
    const link = h("a", { class: "ch-state", href: "#", hidden: true, text: "Link to this state" });
    const footer = h("div", { class: "ch-footer" }, resetButton, link);
    const headline = model.get("headline");
    const box = h("div", { class: "ch-figure", role: "group", "aria-label": name },
      headline ? h("p", { class: "ch-headline" }, withSymbols(headline)) : null, controls, picture, line, footer);
    // JupyterLab would move, cut or add a cell: it hears Escape, Shift+Enter and what goes with Ctrl or Cmd.
    box.addEventListener("keydown", (event) => {
      const isLabShortcut = event.ctrlKey || event.metaKey || event.key === "Escape" || (event.shiftKey && event.key === "Enter");
      if (!isLabShortcut) event.stopPropagation();
    });
    el.append(box);
    const listeners = [], painters = [];
    const on = (trait, callback) => { model.on("change:" + trait, callback); listeners.push(["change:" + trait, callback]); };
    // What the reader changed: its first value, for Start again, and its value now, for the link.
    const initialValues = {};
    const set = (trait, value) => {
      if (!(trait in initialValues)) initialValues[trait] = model.get(trait);
      model.set(trait, value);
      model.save_changes();
      resetButton.disabled = false;
      showLink();
    };
    // Several changes, drawn once.
    let pendingPainters;
    function batch(change) {
      const duePainters = pendingPainters = new Set();
      try { change(); } finally { pendingPainters = undefined; }
      for (const paint of duePainters) paint();
    }
    // Twice, since a value may be allowed only after another one has changed.
    const setAll = (values) => batch(() => {
      for (let pass = 0; pass < 2; pass++)
        for (const [trait, value] of Object.entries(values)) try { set(trait, value); } catch { /* the second pass */ }
    });
    resetButton.addEventListener("click", () => { setAll(initialValues); resetButton.disabled = true; resetButton.blur(); });
    // In a page of the book a fragment of the address keeps the state; it needs no server and no clipboard.
    const figureIndex = () => [...document.querySelectorAll(".ch-widget")].indexOf(box.closest(".ch-widget"));
    const stateText = () => JSON.stringify(Object.fromEntries(Object.keys(initialValues).map((trait) => [trait, model.get(trait)])));
    function showLink() { link.hidden = !box.closest(".ch-widget"); }
    // Written when it is wanted, not at every step of a figure that runs.
    function updateLink() {
      const text = stateText();
      link.hidden = text.length > 2000;
      link.href = `#figure-${figureIndex()}=${encodeURIComponent(text)}`;
    }
    for (const eventName of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(eventName, updateLink);
    const sameType = (a, b) => typeof a === typeof b && Array.isArray(a) === Array.isArray(b);
    function restore() {
      const [, index, text] = location.hash.match(/^#figure-(\d+)=(.*)$/) ?? [];
      if (!text || !box.closest(".ch-widget") || Number(index) !== figureIndex()) return;
      let values = {};
      try { values = JSON.parse(decodeURIComponent(text)); } catch { return; }
      setAll(Object.fromEntries(Object.entries(values).filter(([trait, value]) => sameType(value, model.get(trait)))));
      box.scrollIntoView({ block: "center" });
    }
    addEventListener("hashchange", restore);
    setTimeout(restore);   // after the figure has been drawn

    // The text line says what the picture shows. While a slider moves it waits a moment, so that a screen
    // reader hears the last sentence and not all of them.
    let statusTimer;
    function setStatus(text) {
      clearTimeout(statusTimer);
      if (!line.textContent) line.replaceChildren(...withSymbols(text));
      else statusTimer = setTimeout(() => line.replaceChildren(...withSymbols(text)), 120);
    }
    function labelled(label, input, ...more) {
      input.id = unique();
      const row = h("div", { class: "ch-control" }, h("label", { for: input.id }, withSymbols(label)), input, ...more);
      controls.append(row);
      return row;
    }
    // to/from: between the slider's position and the trait, for scales that are not linear.
    function slider(trait, { label, min, max, step, show = (x) => kit.number(x), to = (x) => x, from = (x) => x }) {
      const input = h("input", { type: "range", min, max, step });
      const output = h("output", { "aria-live": "off" });   // the slider says its own value
      const update = () => {
        const value = model.get(trait);
        input.value = from(value);
        output.textContent = show(value);
        input.setAttribute("aria-valuetext", show(value));
      };
      input.addEventListener("input", () => set(trait, to(Number(input.value))));
      labelled(label, input, output);
      output.htmlFor = input.id;
      on(trait, update);
      update();
      return input;
    }
    // Letters that are typed; no key may reach JupyterLab's shortcuts.
    function field(trait, label) {
      const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
      const update = () => { if (input.value !== model.get(trait)) input.value = model.get(trait); };
      input.addEventListener("input", () => set(trait, input.value));
      input.addEventListener("keydown", (event) => event.stopPropagation());
      labelled(label, input).classList.add("ch-field");
      on(trait, update);
      update();
      return input;
    }
    function toggle(trait, label) {
      const input = h("input", { type: "checkbox" });
      const update = () => { input.checked = model.get(trait); };
      input.addEventListener("change", () => set(trait, input.checked));
      labelled(label, input).classList.add("ch-toggle");
      on(trait, update);
      update();
      return input;
    }
    // One of several: native radio buttons; the trait holds the place of the chosen one.
    function choice(trait, legend, labels, chips = false) {
      const group = unique(), inputs = [];
      const update = () => inputs.forEach((input, i) => { input.checked = i === model.get(trait); });
      const rows = labels.map((label, i) => {
        const input = h("input", { type: "radio", name: group, value: i, id: unique() });
        input.addEventListener("change", () => set(trait, i));
        inputs.push(input);
        return h("span", { class: "ch-option" }, input, h("label", { for: input.id }, withSymbols(label)));
      });
      const fieldset = h("fieldset", { class: chips ? "ch-chips" : "ch-choice" }, h("legend", { text: legend }), ...rows);
      controls.append(fieldset);
      on(trait, update);
      update();
      return fieldset;
    }
    function button(label, onClick) {
      if (label === resetButton.textContent) resetButton.hidden = true;   // the figure brings its own
      const element = h("button", { type: "button", class: "ch-button", text: label });
      element.addEventListener("click", onClick);
      controls.append(element);
      return element;
    }
    function draw(traits, paint) {
      const now = () => (pendingPainters ? pendingPainters.add(paint) : paint());
      traits.forEach((trait) => on(trait, now));
      narrowScreen.addEventListener("change", paint);
      painters.push(paint);
      paint();
    }
    // What is drawn as wide as its place is drawn anew where the place changes, so that words keep their size.
    const observers = [];
    function onResize(element, paint) {
      let lastWidth = element.clientWidth;
      observers.push(new ResizeObserver(() => { if (element.clientWidth !== lastWidth) { lastWidth = element.clientWidth; paint(); } }));
      observers.at(-1).observe(element);
    }
    const dispose = () => {
      clearTimeout(statusTimer);
      observers.forEach((each) => each.disconnect());
      removeEventListener("hashchange", restore);
      painters.forEach((paint) => narrowScreen.removeEventListener("change", paint));
      listeners.forEach(([event, callback]) => model.off(event, callback));
    };
    return { box, controls, picture, footer, on, set, setStatus, slider, field, toggle, choice, button, draw, onResize, batch, dispose };
  }

  return { unique, h, s, withSymbols, withCode, drawing, narrow, readStored, store, figure };
})());
