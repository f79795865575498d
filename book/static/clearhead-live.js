// Brings a built page to life with no kernel and no network, from http and from disk.
// It reads the widget state that the page carries, runs each figure's own module (the anywidget interface:
// initialize, render, and a model with get, set, on, off, save_changes), and folds the outputs to be guessed.
// Code, style and large data of figures lie in scripts in figures/, which pages share. A figure whose data are very
// large stays a picture until a reader touches it; on a slide (`data-figures="at-once"`) it starts with the others.
(() => {
  "use strict";
  const here = new URL("figures/", document.currentScript.src).href;
  const LOAD_AT_ONCE = document.documentElement.dataset.figures === "at-once" ? Infinity : 500_000;   // bytes
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  // Scripts load from disk where fetch may not; each leaves what it holds in `clearheadFigures`.
  const parts = new Map();
  function loadScript(name) {
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
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return new DataView(bytes.buffer);
  }
  function setAt(state, path, value) {
    let owner = state;
    for (const step of path.slice(0, -1)) owner = owner[step];
    owner[path[path.length - 1]] = value;
  }

  const same = (a, b) => Object.is(a, b) || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b) && !(a instanceof DataView));

  class Model {
    constructor({ state, buffers, external, model_module }) {
      this.state = { ...state };
      for (const { path, data } of buffers ?? []) setAt(this.state, path, bytesOf(data));
      this.external = external ?? [];
      this.isFigure = model_module === "anywidget";
      this.listeners = new Map();
    }
    // What a figure needs before it can be drawn, in bytes; a part of it may wait until the figure asks.
    get size() { return this.external.reduce((sum, { size, lazy }) => sum + (lazy ? 0 : size), 0); }
    complete() { return this.fetch(({ lazy }) => !lazy); }
    loadLazy() { return this.external.length ? this.fetch(() => true) : undefined; }
    async fetch(isWanted) {
      await Promise.all(this.external.filter(isWanted).map(async (each) => {
        const value = await loadScript(each.script);
        if (!this.external.includes(each)) return;
        setAt(this.state, each.path, each.bytes ? bytesOf(value) : value);
        this.external = this.external.filter((other) => other !== each);
      }));
    }
    get(name) { return this.state[name]; }
    set(name, value) {
      if (typeof name === "object") return Object.entries(name).forEach(([key, each]) => this.set(key, each));
      if (same(this.state[name], value)) return;
      this.state[name] = value;
      this.emit("change:" + name, value);
      this.emit("change");
    }
    emit(event, value) { for (const listener of [...(this.listeners.get(event) ?? [])]) listener(this, value); }
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
    if (!modules.has(key)) modules.set(key, Promise.all(names.map(loadScript)).then(async (texts) => {
      const address = URL.createObjectURL(new Blob(texts, { type: "text/javascript" }));
      const module = await import(address), figure = module.default ?? module;
      return typeof figure === "function" ? figure() : figure;
    }).catch((error) => { modules.delete(key); throw error; }));
    return modules.get(key);
  }

  const styles = new Map();
  function addStyle(name) {
    if (!styles.has(name)) styles.set(name, loadScript(name).then((text) => {
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
    const container = document.createElement("div");
    container.className = "ch-live";
    script.after(container);
    try {
      await figure.render({ model, el: container });
    } catch (error) {
      container.remove();
      throw error;
    }
    script.parentElement.querySelector(".ch-fallback")?.classList.add("ch-print-only");
    return container;
  }

  // The picture of a figure stays until a mouse points at it, its button is pressed, or a link leads to a state of it.
  async function showOnDemand(script, model) {
    const widget = script.parentElement, size = `${(model.size / 1e6).toFixed(1)} MB`;
    const container = document.createElement("div"), button = document.createElement("button"), status = document.createElement("p");
    container.className = "ch-live ch-on-demand";
    Object.assign(button, { type: "button", className: "ch-button", textContent: "Start this figure" });
    status.className = "ch-caption";
    status.setAttribute("role", "status");
    status.textContent = `It loads ${size}, once. Until then you see a picture of it.`;
    container.append(button, status);
    let started = null;
    async function begin() {
      button.setAttribute("aria-disabled", "true");
      status.textContent = `Loading ${size} …`;
      try {
        const live = await show(script, model), hadFocus = document.activeElement === button;
        container.remove();
        if (hadFocus) live.querySelector("button, input, select, textarea, [tabindex='0']")?.focus();
      } catch (error) {
        started = null;
        button.removeAttribute("aria-disabled");
        status.textContent = `The figure could not start: ${error.message}. Its picture stays here; press the button to try again.`;
      }
    }
    const start = () => started ??= begin();
    const isLinked = () => {
      const [, number] = /^#figure-(\d+)=/.exec(location.hash) ?? [];
      return number !== undefined && document.querySelectorAll(".ch-widget")[number] === widget;
    };
    button.addEventListener("click", start);
    widget.addEventListener("pointerover", ({ pointerType }) => { if (pointerType === "mouse") start(); }, { once: true });
    widget.querySelector("svg")?.addEventListener("click", start);
    addEventListener("hashchange", () => { if (isLinked()) start(); });
    await addStyle(model.get("_css"));
    const still = widget.querySelector(".ch-fallback");
    if (still) still.append(container); else script.after(container);   // below the picture: what is above does not move
    if (isLinked()) await start();
  }

  // The outputs of cells tagged `reveal`, their asserts, and all below them up to the next heading or question, are
  // folded until the reader guessed. Questions with nothing to see between them wait for one another.
  function hideUntilGuessed(questions) {
    const questionsBefore = (element) =>
      questions.filter((script) => script.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING).length;
    const groups = new Map(), guessed = new Set();
    for (const cell of document.querySelectorAll(".cell.tag_reveal")) {
      const group = questionsBefore(cell), output = cell.querySelector(".cell_output");
      const results = [...cell.querySelectorAll(".cell_output, .ch-chip-checked, .ch-chip-reveal")];
      if (output) results.push(...resultsAfter(cell));
      results.forEach((each) => each.classList.add("ch-awaits-guess"));
      groups.set(group, [...(groups.get(group) ?? []), { results, button: output && addRevealButton(output, group) }]);
    }
    const withResults = new Set(groups.keys());  // the questions that have something to see
    function addRevealButton(output, group) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "ch-reveal-button";
      button.textContent = "Show me what happens";
      button.addEventListener("click", () => {
        open(group);
        output.tabIndex = -1;
        output.focus();
      });
      output.before(button);
      return button;
    }
    // Cells and words below give the result away, too.
    function resultsAfter(cell) {
      const results = [], ends = (next) => next.matches("section, h2, h3, h4") || questions.some((each) => next.contains(each));
      for (let next = (cell.closest("[data-source]") ?? cell).nextElementSibling; next && !ends(next); next = next.nextElementSibling)
        results.push(next);
      return results;
    }
    function open(group) {
      for (const { results, button } of groups.get(group) ?? []) {
        button?.remove();
        results.forEach((each) => each.classList.remove("ch-awaits-guess"));
      }
      groups.delete(group);
    }
    document.addEventListener("clearhead:guess", ({ target }) => {
      let group = questionsBefore(target);
      guessed.add(group);
      while (group < questions.length && !withResults.has(group)) group++;
      for (let each = group; each === group || (each > 0 && !withResults.has(each)); each--) if (!guessed.has(each)) return;
      open(group);
    });
    // A link to something that is hidden shows it.
    const openLinked = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      for (const [group, parts] of groups)
        if (parts.some(({ results }) => results.some((each) => each.contains(target)))) open(group), target.scrollIntoView();
    };
    addEventListener("hashchange", openLinked);
    openLinked();
  }

  async function start() {
    const models = new Map(), modelOf = (script) => models.get(JSON.parse(script.textContent).model_id);
    for (const script of document.querySelectorAll(STATE))
      for (const [id, raw] of Object.entries(JSON.parse(script.textContent).state)) models.set(id, new Model(raw));
    const views = [...document.querySelectorAll(VIEW)];
    hideUntilGuessed(views.filter((script) => modelOf(script)?.get("question_id")));
    await Promise.all(views.map(async (script) => {
      const model = modelOf(script);
      try {
        if (!model?.isFigure) throw new Error("this control needs a running kernel");
        await (model.size > LOAD_AT_ONCE ? showOnDemand(script, model) : show(script, model));
      } catch (error) { console.error("A figure stays a picture:", error); }
    }));
    document.documentElement.dataset.chLive = "ready";
  }
  start().catch((error) => console.error("The figures stay pictures:", error));
})();
