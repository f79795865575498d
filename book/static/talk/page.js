// The chat: its text, token by token, a field for the next message, and the panel that looks into one token.
(globalThis.talk ??= {}).page = (box, ask, about, say) => {
  const SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face", LONGEST = 400;
  const WHO = { system: "System prompt", user: "You", assistant: "SmolLM2", text: "Your text, continued by SmolLM2" };
  const h = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name === "text") element.textContent = value; else if (value !== false) element.setAttribute(name, value === true ? "" : value);
    element.append(...children);
    return element;
  };
  const button = (text, react) => { const made = h("button", { type: "button", text }); made.addEventListener("click", react); return made; };
  const percent = (p) => (p >= 0.9995 ? "100 %" : p >= 0.0995 ? `${Math.round(100 * p)} %` : p >= 0.0005 ? `${(100 * p).toFixed(1)} %` : "under 0.1 %");
  const visible = (text) => text.replaceAll("\n", "↵").replace(/^ +$/, (spaces) => "␣".repeat(spaces.length)).trim() || "␣";

  // ---- The parts of the page ----------------------------------------------------------------------------
  const log = h("ol", { class: "talk-log", "aria-label": "The chat" });
  const field = h("textarea", { rows: 2, id: "talk-message" });
  const kind = h("select", { id: "talk-kind" }, h("option", { value: "chat", text: "answer my message" }), h("option", { value: "text", text: "continue my text" }));
  const heat = h("input", { type: "range", id: "talk-heat", min: 0, max: 1.5, step: 0.1, value: 0 }), warmth = h("output", { for: "talk-heat", text: "0: always the most probable token" });
  const numbers = h("input", { type: "checkbox", id: "talk-numbers" });
  const send = h("button", { type: "submit", text: "Send" }), stop = button("Stop", () => ask("stop")), anew = button("New chat", () => begin());
  const form = h("form", {},
    h("label", { for: "talk-message", text: "Your message" }), field,
    h("div", { class: "talk-row" }, h("label", { for: "talk-kind", text: "The model should" }), kind, send, stop, anew),
    h("div", { class: "talk-row" }, h("label", { for: "talk-heat", text: "Temperature" }), heat, warmth),
    h("div", { class: "talk-row" }, numbers, h("label", { for: "talk-numbers", text: "Show the probabilities of the tokens" })));
  const panel = h("section", { class: "talk-panel", "aria-label": "Inside one token", tabindex: -1, hidden: true });
  const room = box.querySelector(".talk-content");
  room.replaceChildren(
    h("p", { class: "talk-warning", text: "This is a small model: its answers can be wrong, and often are. Do not rely on them." }),
    log, form, box.querySelector(".talk-status"), panel);
  const inspect = globalThis.talk.inspect(panel, ask, { h, button, percent, visible });

  // ---- The chat -------------------------------------------------------------------------------------------
  // Each token: id, text, whether it is a special one, which turn it belongs to, and its probability where it was written.
  let tokens = [], turns = [], busy = false;
  const ids = () => tokens.map((token) => token.id);

  function turn(who) {
    const line = h("p", { class: "talk-tokens" });
    turns.push({ who, line });
    log.append(who === "system"
      ? h("li", {}, h("details", {}, h("summary", { text: `${WHO.system}: what the model is told about itself` }), line))
      : h("li", { class: `talk-${who}` }, h("b", { text: WHO[who] }), line));
  }
  function add(token) {
    const place = tokens.length, words = token.text.replaceAll("\n", "↵\n");
    tokens.push({ ...token, turn: turns.length - 1 });
    const label = visible(token.text) + (token.p === undefined ? "" : `, ${percent(token.p)}`);
    const made = h("span", { class: `talk-token${token.special ? " talk-special" : ""}`, text: words });
    if (place > 0) {
      Object.entries({ role: "button", tabindex: -1, "aria-label": label, title: label, "aria-pressed": "false", "data-place": place })
        .forEach(([name, value]) => made.setAttribute(name, value));
      if (token.p !== undefined) {
        made.style.setProperty("--unsure", (1 - token.p).toFixed(3));
        made.dataset.p = percent(token.p);
      }
    }
    turns[turns.length - 1].line.append(made);
  }
  const placed = (place) => log.querySelector(`[data-place="${place}"]`);
  function reachable(place) {   // one of the tokens is a stop of the Tab key; arrows lead to the others
    log.querySelectorAll('[tabindex="0"]').forEach((each) => each.setAttribute("tabindex", -1));
    placed(place)?.setAttribute("tabindex", 0);
  }
  function cut(length) {   // forget the tokens from a place on
    tokens.length = length;
    log.querySelectorAll("[data-place]").forEach((each) => { if (Number(each.dataset.place) >= length) each.remove(); });
    const kept = tokens.length ? tokens[length - 1].turn + 1 : 0;
    turns.splice(kept).forEach(({ line }) => line.closest("li").remove());
  }
  function begin() {
    cut(0);
    log.replaceChildren();
    panel.hidden = true;
    say(`${about.published ? "SmolLM2-135M-Instruct" : about.name} is loaded: ${about.sizes.L} blocks of ${about.sizes.H} heads, and a vocabulary of ${about.sizes.V.toLocaleString("en")} tokens. Nothing that you write leaves your computer.` +
      (about.published === false ? " This is not the published file: it may be another model, or damaged." : ""));
    field.focus();
  }
  async function append(who, text) {
    turn(who);
    for (const token of await ask("pieces", { ids: await ask("encode", { text }) })) add(token);
  }

  // Generated tokens are shown ten times per second, not one by one: drawing must not slow the model down.
  const fresh = [];
  let timer;
  function shown() {
    clearTimeout(timer);
    timer = undefined;
    fresh.splice(0).forEach((token) => add({ ...token, special: token.id === about.stop }));
    log.scrollTop = log.scrollHeight;
  }
  function heard(token) {
    fresh.push(token);
    timer ??= setTimeout(shown, 100);
  }

  async function write() {
    const from = tokens.length;
    busy = true;
    update();
    say("The model is reading your text.");
    try {
      const done = await ask("write", { ids: ids(), length: LONGEST, temperature: Number(heat.value) }, heard);
      shown();
      const written = tokens.slice(from).filter((token) => !token.special).map((token) => token.id);
      const after = done.count > 1 ? ` ${((done.count - 1) / (done.milliseconds - done.first) * 1000).toFixed(1)} tokens per second;` : "";
      say(`Generated: “${await ask("decode", { ids: written })}” First token after ${(done.first / 1000).toFixed(2)} s;${after} ${tokens.length} of ${about.sizes.C} positions of the context are used.` +
        (done.full ? " The context is full: start a new chat." : " Choose a token to look inside the model."));
      reachable(tokens.length - 1);
    } catch (error) {
      shown();
      say(error.message);
    }
    busy = false;
    update();
  }
  function update() {
    send.disabled = anew.disabled = busy;
    stop.disabled = !busy;
    box.classList.toggle("talk-busy", busy);
  }

  async function sent(event) {
    event.preventDefault();
    const words = field.value.trim();
    if (busy || !words) return say(busy ? "The model is generating: wait, or press Stop." : "Enter a message first.");
    busy = true;
    update();
    const ended = tokens.length && tokens[tokens.length - 1].id === about.stop;
    const length = tokens.length;
    try {
      if (kind.value === "text") {
        begin();
        await append("text", words);
      } else {
        if (!length) await append("system", `<|im_start|>system\n${SYSTEM}<|im_end|>\n`);
        await append("user", `${length ? (ended ? "\n" : "<|im_end|>\n") : ""}<|im_start|>user\n${words}<|im_end|>\n`);
        await append("assistant", "<|im_start|>assistant\n");
      }
      if (tokens.length >= about.sizes.C) {
        cut(kind.value === "text" ? 0 : length);
        throw new Error(`That is too long: the context has ${about.sizes.C} positions. Shorten your text, or start a new chat.`);
      }
      field.value = "";
    } catch (error) {
      busy = false;
      update();
      return say(error.message);
    }
    return write();
  }

  // ---- One token ------------------------------------------------------------------------------------------
  async function choose(place) {
    if (busy) return say("The model is generating: wait, or press Stop.");
    log.querySelectorAll('[aria-pressed="true"]').forEach((each) => each.setAttribute("aria-pressed", "false"));
    placed(place).setAttribute("aria-pressed", "true");
    reachable(place);
    say("Looking inside the model.");
    try {
      await inspect(tokens, place, { shade, replace });
      say(`Opened: “${visible(tokens[place].text)}”, token ${place + 1} of ${tokens.length}.`);
    } catch (error) { say(error.message); }
  }
  function shade(row) {   // tint the tokens that a head attends to; without a row, none
    log.classList.toggle("talk-shaded", Boolean(row));
    tokens.forEach((_, place) => log.querySelectorAll(".talk-token")[place].style.setProperty("--look", row?.[place]?.toFixed(3) ?? 0));
  }
  async function replace(place, other) {   // put another token here, and let the model continue from it
    if (busy) return;
    shade(null);
    panel.hidden = true;
    cut(place);
    add(other);
    if (other.id === about.stop) return say("The answer now ends here.");
    await write();
    placed(place)?.focus();
  }
  log.addEventListener("click", ({ target }) => { if (target.dataset.place) choose(Number(target.dataset.place)); });
  log.addEventListener("keydown", (event) => {
    const place = Number(event.target.dataset.place), to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 1, End: tokens.length - 1 }[event.key];
    if (!place) return;
    if (to !== undefined && placed(to)) { event.preventDefault(); reachable(to); placed(to).focus(); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(place); }
  });
  form.addEventListener("submit", sent);
  field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) sent(event); });
  heat.addEventListener("input", () => { warmth.textContent = Number(heat.value) ? heat.value : "0: always the most probable token"; });
  numbers.addEventListener("change", () => log.classList.toggle("talk-with-numbers", numbers.checked));
  room.hidden = false;
  update();
  begin();
  const handed = new URLSearchParams(location.hash.slice(1)).get("text");   // by the first page: a text to continue
  if (handed) Object.assign(field, { value: handed }) && Object.assign(kind, { value: "text" });
};
