// The chat: its text, token by token, a field for the next message, and the panel that looks into one token.
(globalThis.talk ??= {}).page = (container, request, model, setStatus) => {
  const SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face", MAX_NEW_TOKENS = 400;
  const ROLES = { system: "System prompt", user: "You", assistant: "SmolLM2", text: "Your text, continued by SmolLM2" };
  const h = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name === "text") element.textContent = value; else if (value !== false) element.setAttribute(name, value === true ? "" : value);
    element.append(...children);
    return element;
  };
  const button = (text, onClick) => { const element = h("button", { type: "button", text }); element.addEventListener("click", onClick); return element; };
  const percent = (p) => (p >= 0.9995 ? "100 %" : p >= 0.0995 ? `${Math.round(100 * p)} %` : p >= 0.0005 ? `${(100 * p).toFixed(1)} %` : "under 0.1 %");
  const visible = (text) => text.replaceAll("\n", "↵").replace(/^ +$/, (spaces) => "␣".repeat(spaces.length)).trim() || "␣";

  // ---- The parts of the page ----------------------------------------------------------------------------
  const log = h("ol", { class: "talk-log", "aria-label": "The chat" });
  const field = h("textarea", { rows: 2, id: "talk-message" });
  const mode = h("select", { id: "talk-kind" }, h("option", { value: "chat", text: "answer my message" }), h("option", { value: "text", text: "continue my text" }));
  const temperature = h("input", { type: "range", id: "talk-temperature", min: 0, max: 1.5, step: 0.1, value: 0 }), temperatureText = h("output", { for: "talk-temperature", text: "0: always the most probable token" });
  const showProbabilities = h("input", { type: "checkbox", id: "talk-numbers" });
  const send = h("button", { type: "submit", text: "Send" }), stop = button("Stop", () => request("stop")), newChat = button("New chat", () => reset());
  const form = h("form", {},
    h("label", { for: "talk-message", text: "Your message" }), field,
    h("div", { class: "talk-row" }, h("label", { for: "talk-kind", text: "The model should" }), mode, send, stop, newChat),
    h("div", { class: "talk-row" }, h("label", { for: "talk-temperature", text: "Temperature" }), temperature, temperatureText),
    h("div", { class: "talk-row" }, showProbabilities, h("label", { for: "talk-numbers", text: "Show the probabilities of the tokens" })));
  const panel = h("section", { class: "talk-panel", "aria-label": "Inside one token", tabindex: -1, hidden: true });
  const content = container.querySelector(".talk-content");
  content.replaceChildren(
    h("p", { class: "talk-warning", text: "This is a small model: its answers can be wrong, and often are. Do not rely on them." }),
    log, form, container.querySelector(".talk-status"), panel);
  const inspect = globalThis.talk.inspect(panel, request, { h, button, percent, visible });

  // ---- The chat -------------------------------------------------------------------------------------------
  // Each token: id, text, whether it is a special one, which turn it belongs to, and its probability where it was written.
  let tokens = [], turns = [], busy = false;
  const ids = () => tokens.map((token) => token.id);

  function addTurn(role) {
    const line = h("p", { class: "talk-tokens" });
    turns.push({ role, line });
    log.append(role === "system"
      ? h("li", {}, h("details", {}, h("summary", { text: `${ROLES.system}: what the model is told about itself` }), line))
      : h("li", { class: `talk-${role}` }, h("b", { text: ROLES[role] }), line));
  }
  function add(token) {
    const position = tokens.length, words = token.text.replaceAll("\n", "↵\n");
    tokens.push({ ...token, turn: turns.length - 1 });
    const label = visible(token.text) + (token.p === undefined ? "" : `, ${percent(token.p)}`);
    const element = h("span", { class: `talk-token${token.special ? " talk-special" : ""}`, text: words });
    if (position > 0) {
      Object.entries({ role: "button", tabindex: -1, "aria-label": label, title: label, "aria-pressed": "false", "data-position": position })
        .forEach(([name, value]) => element.setAttribute(name, value));
      if (token.p !== undefined) {
        element.style.setProperty("--unsure", (1 - token.p).toFixed(3));
        element.dataset.p = percent(token.p);
      }
    }
    turns[turns.length - 1].line.append(element);
  }
  const tokenElement = (position) => log.querySelector(`[data-position="${position}"]`);
  function setTabStop(position) {   // one of the tokens is a stop of the Tab key; arrows lead to the others
    log.querySelectorAll('[tabindex="0"]').forEach((each) => each.setAttribute("tabindex", -1));
    tokenElement(position)?.setAttribute("tabindex", 0);
  }
  function truncate(length) {   // forget the tokens from a position on
    tokens.length = length;
    log.querySelectorAll("[data-position]").forEach((each) => { if (Number(each.dataset.position) >= length) each.remove(); });
    const turnsLeft = tokens.length ? tokens[length - 1].turn + 1 : 0;
    turns.splice(turnsLeft).forEach(({ line }) => line.closest("li").remove());
  }
  function reset() {
    truncate(0);
    log.replaceChildren();
    panel.hidden = true;
    setStatus(`${model.published ? "SmolLM2-135M-Instruct" : model.name} is loaded: ${model.sizes.L} blocks of ${model.sizes.H} heads, and a vocabulary of ${model.sizes.V.toLocaleString("en")} tokens. Nothing that you write leaves your computer.` +
      (model.published === false ? " This is not the published file: it may be another model, or damaged." : ""));
    field.focus();
  }
  async function append(role, text) {
    addTurn(role);
    for (const token of await request("pieces", { ids: await request("encode", { text }) })) add(token);
  }

  // Generated tokens are shown ten times per second, not one by one: drawing must not slow the model down.
  const pendingTokens = [];
  let timer;
  function flushTokens() {
    clearTimeout(timer);
    timer = undefined;
    pendingTokens.splice(0).forEach((token) => add({ ...token, special: token.id === model.stop }));
    log.scrollTop = log.scrollHeight;
  }
  function onToken(token) {
    pendingTokens.push(token);
    timer ??= setTimeout(flushTokens, 100);
  }

  async function generate() {
    const start = tokens.length;
    busy = true;
    update();
    setStatus("The model is reading your text.");
    try {
      const result = await request("generate", { ids: ids(), length: MAX_NEW_TOKENS, temperature: Number(temperature.value) }, onToken);
      flushTokens();
      const written = tokens.slice(start).filter((token) => !token.special).map((token) => token.id);
      const speed = result.count > 1 ? ` ${((result.count - 1) / (result.milliseconds - result.first) * 1000).toFixed(1)} tokens per second;` : "";
      setStatus(`Generated: “${await request("decode", { ids: written })}” First token after ${(result.first / 1000).toFixed(2)} s;${speed} ${tokens.length} of ${model.sizes.C} positions of the context are used.` +
        (result.contextFull ? " The context is full: start a new chat." : " Choose a token to look inside the model."));
      setTabStop(tokens.length - 1);
    } catch (error) {
      flushTokens();
      setStatus(error.message);
    }
    busy = false;
    update();
  }
  function update() {
    send.disabled = newChat.disabled = busy;
    stop.disabled = !busy;
    container.classList.toggle("talk-busy", busy);
  }

  async function onSubmit(event) {
    event.preventDefault();
    const words = field.value.trim();
    if (busy || !words) return setStatus(busy ? "The model is generating: wait, or press Stop." : "Enter a message first.");
    busy = true;
    update();
    const answerEnded = tokens.length && tokens[tokens.length - 1].id === model.stop;
    const length = tokens.length;
    try {
      if (mode.value === "text") {
        reset();
        await append("text", words);
      } else {
        if (!length) await append("system", `<|im_start|>system\n${SYSTEM}<|im_end|>\n`);
        await append("user", `${length ? (answerEnded ? "\n" : "<|im_end|>\n") : ""}<|im_start|>user\n${words}<|im_end|>\n`);
        await append("assistant", "<|im_start|>assistant\n");
      }
      if (tokens.length >= model.sizes.C) {
        truncate(mode.value === "text" ? 0 : length);
        throw new Error(`That is too long: the context has ${model.sizes.C} positions. Shorten your text, or start a new chat.`);
      }
      field.value = "";
    } catch (error) {
      busy = false;
      update();
      return setStatus(error.message);
    }
    return generate();
  }

  // ---- One token ------------------------------------------------------------------------------------------
  async function choose(position) {
    if (busy) return setStatus("The model is generating: wait, or press Stop.");
    log.querySelectorAll('[aria-pressed="true"]').forEach((each) => each.setAttribute("aria-pressed", "false"));
    tokenElement(position).setAttribute("aria-pressed", "true");
    setTabStop(position);
    setStatus("Looking inside the model.");
    try {
      await inspect(tokens, position, { highlight, replace });
      setStatus(`Opened: “${visible(tokens[position].text)}”, token ${position + 1} of ${tokens.length}.`);
    } catch (error) { setStatus(error.message); }
  }
  function highlight(row) {   // tint the tokens that a head attends to; without a row, none
    log.classList.toggle("talk-shaded", Boolean(row));
    tokens.forEach((_, position) => log.querySelectorAll(".talk-token")[position].style.setProperty("--attention", row?.[position]?.toFixed(3) ?? 0));
  }
  async function replace(position, other) {   // put another token here, and let the model continue from it
    if (busy) return;
    highlight(null);
    panel.hidden = true;
    truncate(position);
    add(other);
    if (other.id === model.stop) return setStatus("The answer now ends here.");
    await generate();
    tokenElement(position)?.focus();
  }
  log.addEventListener("click", ({ target }) => { if (target.dataset.position) choose(Number(target.dataset.position)); });
  log.addEventListener("keydown", (event) => {
    const position = Number(event.target.dataset.position), to = { ArrowRight: position + 1, ArrowLeft: position - 1, Home: 1, End: tokens.length - 1 }[event.key];
    if (!position) return;
    if (to !== undefined && tokenElement(to)) { event.preventDefault(); setTabStop(to); tokenElement(to).focus(); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(position); }
  });
  form.addEventListener("submit", onSubmit);
  field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) onSubmit(event); });
  temperature.addEventListener("input", () => { temperatureText.textContent = Number(temperature.value) ? temperature.value : "0: always the most probable token"; });
  showProbabilities.addEventListener("change", () => log.classList.toggle("talk-with-numbers", showProbabilities.checked));
  content.hidden = false;
  update();
  reset();
  const initialText = new URLSearchParams(location.hash.slice(1)).get("text");   // by the first page: a text to continue
  if (initialText) Object.assign(field, { value: initialText }) && Object.assign(mode, { value: "text" });
};
