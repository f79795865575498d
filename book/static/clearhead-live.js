// Brings a built page to life with no kernel and no network, from http and from disk.
// It reads the widget state that the page carries, runs each figure's own module (the anywidget interface:
// initialize, render, and a model with get, set, on, off, save_changes), and folds the outputs to be guessed.
// Code, style and large data of figures lie in scripts in figures/, which pages share. A figure whose data are very
// large stays a picture until a reader touches it; on a slide (`data-figures="at-once"`) it starts with the others.
(() => {
  "use strict";
  const here = new URL("figures/", document.currentScript.src).href;
  const WAITS = document.documentElement.dataset.figures === "at-once" ? Infinity : 500_000;   // bytes
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  // Scripts load from disk where fetch may not; each leaves what it holds in `clearheadFigures`.
  const parts = new Map();
  function part(name) {
    if (!parts.has(name)) parts.set(name, new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${here}${name}.js` });
      script.onload = () => { script.remove(); resolve(self.clearheadFigures[name]); };
      script.onerror = () => {
        script.remove();
        parts.delete(name);   // the next try asks again
        reject(new Error(`the file figures/${name}.js beside this page could not be loaded`));
      };
      document.head.append(script);
    }));
    return parts.get(name);
  }

  // Bytes travel as base64; a figure gets them as a DataView, as in Jupyter.
  function bytesOf(text) {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    return new DataView(bytes.buffer);
  }
  function put(state, path, value) {
    let owner = state;
    for (const step of path.slice(0, -1)) owner = owner[step];
    owner[path[path.length - 1]] = value;
  }

  const same = (a, b) => Object.is(a, b) || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b) && !(a instanceof DataView));

  class Model {
    constructor({ state, buffers, apart, model_module }) {
      this.state = { ...state };
      for (const { path, data } of buffers ?? []) put(this.state, path, bytesOf(data));
      this.apart = apart ?? [];
      this.isFigure = model_module === "anywidget";
      this.listeners = new Map();
    }
    // What a figure needs before it can be drawn, in bytes; a part of it may wait until the figure asks.
    get size() { return this.apart.reduce((sum, { size, late }) => sum + (late ? 0 : size), 0); }
    complete() { return this.fetch(({ late }) => !late); }
    late() { return this.apart.length ? this.fetch(() => true) : undefined; }
    async fetch(wanted) {
      await Promise.all(this.apart.filter(wanted).map(async (each) => {
        const value = await part(each.script);
        if (!this.apart.includes(each)) return;
        put(this.state, each.path, each.bytes ? bytesOf(value) : value);
        this.apart = this.apart.filter((other) => other !== each);
      }));
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
  function load(names) {
    const key = names.join();
    if (!modules.has(key)) modules.set(key, Promise.all(names.map(part)).then(async (texts) => {
      const address = URL.createObjectURL(new Blob(texts, { type: "text/javascript" }));
      const module = await import(address), figure = module.default ?? module;
      return typeof figure === "function" ? figure() : figure;
    }).catch((error) => { modules.delete(key); throw error; }));
    return modules.get(key);
  }

  const styles = new Map();
  function addStyle(name) {
    if (!styles.has(name)) styles.set(name, part(name).then((text) => {
      const style = document.createElement("style");
      style.textContent = text;
      document.head.append(style);
    }).catch((error) => { styles.delete(name); throw error; }));
    return styles.get(name);
  }

  async function show(script, model) {
    const [figure] = await Promise.all([load(model.get("_esm")), addStyle(model.get("_css")), model.complete()]);
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
    return place;
  }

  // The picture of a figure stays until a mouse points at it, its button is pressed, or a link leads to a state of it.
  async function wait(script, model) {
    const widget = script.parentElement, size = `${(model.size / 1e6).toFixed(1)} MB`;
    const place = document.createElement("div"), button = document.createElement("button"), said = document.createElement("p");
    place.className = "ch-live ch-wait";
    Object.assign(button, { type: "button", className: "ch-button", textContent: "Start this figure" });
    said.className = "ch-caption";
    said.setAttribute("role", "status");
    said.textContent = `It loads ${size}, once. Until then you see a picture of it.`;
    place.append(button, said);
    let started = null;
    async function begin() {
      button.setAttribute("aria-disabled", "true");
      said.textContent = `Loading ${size} …`;
      try {
        const live = await show(script, model), held = document.activeElement === button;
        place.remove();
        if (held) live.querySelector("button, input, select, textarea, [tabindex='0']")?.focus();
      } catch (error) {
        started = null;
        button.removeAttribute("aria-disabled");
        said.textContent = `The figure could not start: ${error.message}. Its picture stays here; press the button to try again.`;
      }
    }
    const start = () => started ??= begin();
    const asked = () => {
      const [, number] = /^#figure-(\d+)=/.exec(location.hash) ?? [];
      return number !== undefined && document.querySelectorAll(".ch-widget")[number] === widget;
    };
    button.addEventListener("click", start);
    widget.addEventListener("pointerover", ({ pointerType }) => { if (pointerType === "mouse") start(); }, { once: true });
    widget.querySelector("svg")?.addEventListener("click", start);
    addEventListener("hashchange", () => { if (asked()) start(); });
    await addStyle(model.get("_css"));
    const still = widget.querySelector(".ch-fallback");
    if (still) still.append(place); else script.after(place);   // below the picture: what is above does not move
    if (asked()) await start();
  }

  // The outputs of cells tagged `reveal`, their asserts, and all below them up to the next heading or question, are
  // folded until the reader guessed. Questions with nothing to see between them wait for one another.
  function foldGuesses(questions) {
    const questionsBefore = (place) =>
      questions.filter((script) => script.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING).length;
    const groups = new Map(), guessed = new Set();
    for (const cell of document.querySelectorAll(".cell.tag_reveal")) {
      const group = questionsBefore(cell), output = cell.querySelector(".cell_output");
      const told = [...cell.querySelectorAll(".cell_output, .ch-chip-checked, .ch-chip-reveal")];
      if (output) told.push(...toldAfter(cell));
      told.forEach((each) => each.classList.add("ch-awaits-guess"));
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
        told.forEach((each) => each.classList.remove("ch-awaits-guess"));
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
    const models = new Map(), modelOf = (script) => models.get(JSON.parse(script.textContent).model_id);
    for (const script of document.querySelectorAll(STATE))
      for (const [id, raw] of Object.entries(JSON.parse(script.textContent).state)) models.set(id, new Model(raw));
    const views = [...document.querySelectorAll(VIEW)];
    foldGuesses(views.filter((script) => modelOf(script)?.get("question_id")));
    await Promise.all(views.map(async (script) => {
      const model = modelOf(script);
      try {
        if (!model?.isFigure) throw new Error("this control needs a running kernel");
        await (model.size > WAITS ? wait(script, model) : show(script, model));
      } catch (error) { console.error("A figure stays a picture:", error); }
    }));
    document.documentElement.dataset.chLive = "ready";
  }
  start().catch((error) => console.error("The figures stay pictures:", error));
})();
