// Brings a built page to life with no kernel and no network, from http and from disk.
// It reads the widget state that the page carries, runs each figure's own module (the anywidget interface:
// initialize, render, and a model with get, set, on, off, save_changes), and folds the outputs to be guessed.
(() => {
  "use strict";
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  // Bytes travel in the page as base64; a figure gets them as a DataView, as in Jupyter.
  function placeBuffers(state, buffers) {
    for (const { path, data } of buffers ?? []) {
      const letters = atob(data), bytes = new Uint8Array(letters.length);
      for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
      let owner = state;
      for (const step of path.slice(0, -1)) owner = owner[step];
      owner[path[path.length - 1]] = new DataView(bytes.buffer);
    }
    return state;
  }

  const same = (a, b) => Object.is(a, b) || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b) && !(a instanceof DataView));

  class Model {
    constructor({ state, buffers, model_module }) {
      this.state = placeBuffers({ ...state }, buffers);
      this.isFigure = model_module === "anywidget";
      this.listeners = new Map();
    }
    get(name) { return this.state[name]; }
    set(name, value) {
      if (typeof name === "object") return Object.entries(name).forEach(([key, each]) => this.set(key, each));
      if (same(this.state[name], value)) return;
      this.state[name] = value;
      this.tell("change:" + name, value);
      this.tell("change");
    }
    tell(event, value) { for (const listener of [...(this.listeners.get(event) ?? [])]) listener(this, value); }
    on(events, listener) {
      for (const event of events.split(" ")) this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    }
    off(event, listener) {
      this.listeners.set(event, listener ? (this.listeners.get(event) ?? []).filter((each) => each !== listener) : []);
    }
    save_changes() {}   // no kernel to save to
    send() {}
  }

  // A module's text becomes a module through a blob: pages from disk may not load module files.
  const modules = new Map();
  function load(text) {
    if (!modules.has(text)) {
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      modules.set(text, import(address).then(async (module) => {
        const figure = module.default ?? module;
        return typeof figure === "function" ? figure() : figure;
      }));
    }
    return modules.get(text);
  }

  const styles = new Set();
  function addStyle(text) {
    if (!text || styles.has(text)) return;
    styles.add(text);
    const style = document.createElement("style");
    style.textContent = text;
    document.head.append(style);
  }

  async function show(script, models, shared) {
    const model = models.get(JSON.parse(script.textContent).model_id);
    if (!model?.isFigure) throw new Error("this control needs a running kernel");
    const text = model.get("_esm"), css = model.get("_css");
    addStyle(shared[css] ?? css);
    const figure = await load(shared[text] ?? text);
    model.ready ??= Promise.resolve(figure.initialize?.({ model }));
    await model.ready;
    const place = document.createElement("div");
    place.className = "ch-live";
    script.after(place);
    try {
      await figure.render({ model, el: place });
    } catch (error) {
      place.remove();
      throw error;
    }
    script.parentElement.querySelector(".ch-fallback")?.classList.add("ch-print-only");
  }

  // The outputs of cells tagged `reveal`, their asserts, and all below them up to the next heading or question, are
  // folded until the reader guessed. Questions with nothing to see between them wait for one another.
  function foldGuesses(questions) {
    const questionsBefore = (place) =>
      questions.filter((script) => script.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING).length;
    const groups = new Map(), guessed = new Set();
    for (const cell of document.querySelectorAll(".cell.tag_reveal")) {
      const group = questionsBefore(cell), output = cell.querySelector(".cell_output");
      const told = [...cell.querySelectorAll(".cell_output, .ch-chip-checked, .ch-chip-told")];
      if (output) told.push(...toldAfter(cell));
      told.forEach((each) => each.classList.add("ch-folded"));
      groups.set(group, [...(groups.get(group) ?? []), { told, button: output && showMe(output, group) }]);
    }
    const shown = new Set(groups.keys());  // the questions that have something to see
    function showMe(output, group) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "ch-show-me";
      button.textContent = "Show me what happens";
      button.addEventListener("click", () => {
        open(group);
        output.tabIndex = -1;
        output.focus();
      });
      output.before(button);
      return button;
    }
    // Cells and words below tell the result, too.
    function toldAfter(cell) {
      const told = [], ends = (next) => next.matches("section, h2, h3, h4") || questions.some((each) => next.contains(each));
      for (let next = (cell.closest("[data-source]") ?? cell).nextElementSibling; next && !ends(next); next = next.nextElementSibling)
        told.push(next);
      return told;
    }
    function open(group) {
      for (const { told, button } of groups.get(group) ?? []) {
        button?.remove();
        told.forEach((each) => each.classList.remove("ch-folded"));
      }
      groups.delete(group);
    }
    document.addEventListener("clearhead:guess", ({ target }) => {
      let group = questionsBefore(target);
      guessed.add(group);
      while (group < questions.length && !shown.has(group)) group++;
      for (let each = group; each === group || (each > 0 && !shown.has(each)); each--) if (!guessed.has(each)) return;
      open(group);
    });
    // A link to what is folded opens it.
    const follow = () => {
      const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      for (const [group, parts] of groups)
        if (parts.some(({ told }) => told.some((each) => each.contains(aim)))) open(group), aim.scrollIntoView();
    };
    addEventListener("hashchange", follow);
    follow();
  }

  async function start() {
    const models = new Map(), shared = {};
    for (const script of document.querySelectorAll(STATE)) {
      const { state, shared: texts } = JSON.parse(script.textContent);
      Object.assign(shared, texts);
      for (const [id, raw] of Object.entries(state)) models.set(id, new Model(raw));
    }
    const views = [...document.querySelectorAll(VIEW)];
    foldGuesses(views.filter((script) => models.get(JSON.parse(script.textContent).model_id)?.get("question_id")));
    await Promise.all(views.map((script) =>
      show(script, models, shared).catch((error) => console.error("A figure stays a picture:", error))));
    document.documentElement.dataset.chLive = "ready";
  }
  start().catch((error) => console.error("The figures stay pictures:", error));
})();
