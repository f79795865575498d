// A whole GPT at work in the page: its parts open, its tokens can be followed, and it generates text.
const { h, number, quoted, choices } = kit;
const GUESSES = 6, FRAME = 24, PACES = [100, 1000, 0];   // bars; milliseconds of generating before a drawing; between tokens
const PACE_NAMES = ["10 tokens per second", "1 token per second", "as fast as possible"];

function compute({ ids, parameters, num_heads, temperature, top_k, layer, head, chosen }) {
  const cache = new kit.KeyValueCache(kit.parametersFromLists(parameters), num_heads);
  const logits = ids.map((id) => [...cache.extend(id)]), last = logits[ids.length - 1];
  const { order, p } = choices(last, temperature, top_k), heads = Array.from({ length: num_heads }, (_, n) => n);
  const lists = (part) => Object.fromEntries(Object.entries(part).map(([name, rows]) => [name, Array.from(rows, (x) => (x.length ? [...x] : x))]));
  return {
    logits, after: last.map((_, id) => p[order.indexOf(id)] ?? 0),
    A: cache.blocks.map(({ A }) => heads.map((n) => A.map((row) => ids.map((_, position) => row[n][position] ?? 0)))),
    norms: cache.streams.map((rows) => rows.map((row) => Math.hypot(...row))),
    lens: cache.streams[ids.length - 1].map((row) => [...cache.lens(row)]),
    head: lists(cache.head(layer, head, chosen)), forward: lists(cache.blocks[layer].forward[chosen]),
    embedding: lists(cache.embedding(ids[chosen], chosen)),
  };
}

const visible = (token) => token.replaceAll("\n", "↵").replaceAll(" ", "·");
const spokenToken = (token) => quoted(token.trim() || visible(token));
// Names of tokens: equal ones are numbered.
function tokenLabels(tokens) {
  return tokens.map((token, i) => {
    const before = tokens.slice(0, i).filter((other) => other === token).length;
    return before || tokens.indexOf(token, i + 1) > 0 ? `${spokenToken(token)} (no. ${before + 1})` : spokenToken(token);
  });
}
const inOneLine = (text) => text.replaceAll("\n", " ").replaceAll("<stop>", " ¶ ").trim();

function words({ tokens, generatedText: written, temperature, top_k, layer, head }, { guesses, p, chosen, weights }) {
  const best = weights.indexOf(Math.max(...weights)), text = written ? `Generated: ${quoted(inOneLine(written.slice(-200)))}. ` : "";
  return `${text}After ${quoted(inOneLine(tokens.slice(-5).join("")))} the likeliest next tokens are ` +
    `${spokenToken(guesses[0])}, ${number(p[0])}, and ${spokenToken(guesses[1])}, ${number(p[1] ?? 0)}, at τ = ${number(temperature)}, k = ${top_k}. ` +
    `In layer ${layer}, head ${head}, ${spokenToken(tokens[chosen])} looks most at ${spokenToken(tokens[best])}, ${number(weights[best])}.`;
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "A transformer that runs in this page"), get = (name) => model.get(name), set = figure.set;
  const writer = new kit.Writer(get), { cache, tokenizer } = writer, layers = cache.blocks.length, heads = cache.numHeads;
  const next = () => choices(writer.logits, get("temperature"), get("top_k"));
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let run = null, rate = 0, pointed = -1, pointedHead = null;   // run: when the generation began, and how many tokens ago

  function stream() {
    if (!run) return;
    const end = performance.now() + FRAME, wait = PACES[get("pace")], full = () => run.count >= get("length") || writer.ended;
    do { writer.write(next()); run.count++; } while (!full() && !wait && performance.now() < end);
    if (full()) return stopGenerating();
    if (!reducedMotion) paint(false);
    if (wait) setTimeout(stream, wait); else requestAnimationFrame(stream);
  }
  function startGenerating() {
    run = { started: performance.now(), count: 0 };
    generateButton.textContent = "Stop";
    set("chosen", -1);
    stream();
  }
  function stopGenerating() {
    if (!run) return;
    rate = (1000 * run.count) / (performance.now() - run.started);
    run = null;
    generateButton.textContent = "Generate";
    set("written", writer.generatedText);
  }
  function restart(text) {
    stopGenerating();
    writer.reset(text);
    rate = 0;
    figure.batch(() => { set("chosen", -1); set("written", ""); });
  }
  const close = () => {
    const part = openedPart();
    set("opened", "");
    if (part) flow.tileOf(part).focus();
  };
  const openedPart = () => get("opened") && { part: get("opened"), layer: get("layer"), head: get("head") };
  function open(part, layer, head) {
    const now = openedPart();
    if (now && now.part === part && (part === "embedding" || now.layer === layer) && (part !== "head" || now.head === head)) return set("opened", "");
    figure.batch(() => {
      if (part !== "embedding") set("layer", layer);
      if (part === "head") set("head", head);
      set("opened", part);
    });
    flow.panel.focus({ preventScroll: true });
  }

  figure.box.classList.add("ch-hero");
  figure.field("text", "Your text");
  const group = (buttons) => figure.controls.appendChild(h("div", { class: "ch-buttons" }, buttons));
  const generateButton = figure.button("Generate", () => (run ? stopGenerating() : startGenerating()));
  generateButton.classList.add("ch-primary");
  group([generateButton,
    figure.button("One token", () => { stopGenerating(); writer.write(next()); figure.batch(() => { set("chosen", -1); set("written", writer.generatedText); }); }),
    figure.button("Start again", () => restart(get("text")))]);
  const presets = get("prompts").map(([name, prompt]) => figure.button(name, () => set("text", prompt)));
  group([h("span", { class: "ch-caption", text: "Or try:" }), presets]);
  const page = kit.generatedTextView(writer, visible, (position, id) => { stopGenerating(); writer.replaceToken(position, id); startGenerating(); });
  const first = () => Math.max(0, writer.ids.length - layout.count), statusCaption = h("p", { class: "ch-caption ch-token-counts" });
  const flow = kit.flow(layers, heads, { open, choose: (i) => set("chosen", writer.from + first() + i),
    point: (i) => { pointed = i < 0 ? -1 : first() + i; paint(); }, pointHead: (head) => { pointedHead = head; paint(); } });
  const settings = h("div", { class: "ch-settings" }, [figure.slider("temperature", { label: "Temperature τ", min: 0, max: 2, step: 0.05 }),
    figure.slider("top_k", { label: "top-k", min: 1, max: 100, step: 1, show: String })].map((input) => input.parentElement),
    figure.choice("pace", "Speed", PACE_NAMES));
  figure.picture.append(page.element, statusCaption, flow.element, settings);
  figure.box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (!page.hideAlternatives() && get("opened")) close();
  });

  let layout;
  function openPanel(chosen, tokens, from) {
    const part = openedPart(), width = flow.panel.clientWidth || 600;
    flow.panel.hidden = !part;
    if (!part) return;
    const shared = { queryLabel: tokenLabels(tokens)[chosen], chosen, colours, close, width, isWide: width > 620, first: from, names: tokens.map(visible), labels: tokenLabels(tokens), ...part };
    flow.panel.replaceChildren(...(part.part === "head" ? kit.openHead(cache.head(part.layer, part.head, chosen), shared)
      : part.part === "forward" ? kit.openForward(cache.blocks[part.layer].forward[chosen], shared)
      : kit.openEmbedding(cache.embedding(writer.ids[chosen], chosen), { ...shared, id: writer.ids[chosen], index: chosen })).flat());
  }
  let colours = kit.themeColours(figure.box);
  function paint(updateStatus = true) {
    const width = flow.element.clientWidth || 640, tokens = tokenizer.tokens(writer.ids);
    layout = flow.layOut(width, openedPart());
    const from = first(), at = pointed >= 0 ? pointed : get("chosen") - writer.from;
    const chosen = (pointed >= 0 || get("chosen") >= 0) && at >= from && at < tokens.length ? at : tokens.length - 1;
    const layer = Math.min(get("layer"), layers - 1), head = Math.min(get("head"), heads - 1);
    const weights = [...cache.blocks[layer].A[chosen][head]], { p } = next();
    const best = choices(writer.logits, 1, GUESSES).order, guesses = tokenizer.tokens(best);
    page.show();
    statusCaption.textContent = `${writer.ids.length} of ${cache.maxLength} positions of the context are used` + (writer.from ? "; grey tokens are no longer in it. " : ". ") + (writer.generatedIds.length
      ? `Generated: ${writer.generatedIds.length} tokens${rate ? `, ${number(rate, 0)} per second` : ""}. Choose a generated token to see the alternatives.`
      : `The model generates up to ${get("length")} tokens, and stops earlier at <stop>.`) + ` Speed: ${PACE_NAMES[get("pace")]}.`;
    presets.forEach((button, i) => button.setAttribute("aria-pressed", get("prompts")[i][1] === writer.text));
    openPanel(chosen, tokens, from);
    if (get("opened")) layout = flow.layOut(width, openedPart());
    flow.show({ tokens: tokens.map(visible), labels: tokenLabels(tokens), weights: weights, chosen, first: from, width, blocks: cache.blocks, streams: cache.streams, colours,
      pointed: pointedHead ?? (get("opened") === "head" ? [layer, head] : null), opened: openedPart(),
      lens: (n) => visible(tokenizer.tokens(choices(cache.lens(cache.streams[chosen][n]), 1, 1).order)[0]) });
    flow.bars.replaceChildren(h("p", { class: "ch-caption", text: "The next token, at temperature τ and top-k" }), kit.bars(best.map((_, i) => visible(guesses[i])), best.map((_, i) => p[i] ?? 0)));
    const traits = { tokens, layer, head, generatedText: get("written"), temperature: get("temperature"), top_k: get("top_k") };
    if (updateStatus) figure.setStatus(words(traits, { guesses, p, chosen, weights }));
  }
  const onThemeChange = () => { colours = kit.themeColours(figure.box); paint(false); }, themeObserver = new MutationObserver(onThemeChange);
  for (const position of [document.documentElement, document.body]) themeObserver.observe(position, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] });
  figure.on("text", () => restart(get("text")));
  figure.draw(["text", "written", "pace", "length", "temperature", "top_k", "layer", "head", "chosen", "opened"], () => paint());
  figure.onResize(flow.element, () => paint(false));
  return () => { run = null; themeObserver.disconnect(); figure.dispose(); };
}

export default { render, compute, Writer: kit.Writer };
