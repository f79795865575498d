// A GPT at work in the page: it reads what is typed, shows where its heads look, and writes on.
const { h, number, quoted } = kit;
const SHOWN = 20, GUESSES = 6, LETTERS = 300;   // tokens to choose from, bars, letters of the text
const FRAME = 24, SLOW = 250;                   // milliseconds: writing before the next drawing; the slow pace

// What may be drawn: the k likeliest ids, and their probabilities at a temperature.
function choices(logits, temperature, top_k) {
  const least = Float64Array.from(logits).sort()[Math.max(0, logits.length - top_k)], likely = [];
  logits.forEach((z, id) => { if (z >= least) likely.push(id); });
  const order = likely.sort((a, b) => logits[b] - logits[a] || a - b).slice(0, top_k);
  const below = order.map((id) => logits[id] - logits[order[0]]);
  return { order, p: kit.softmax(below.map((z) => (temperature > 0 ? z / temperature : z < 0 ? -Infinity : 0))) };
}

function compute({ ids, parameters, num_heads, temperature, top_k }) {
  const cache = new kit.KeyValueCache(kit.parametersFromLists(parameters), num_heads);
  const logits = ids.map((id) => [...cache.extend(id)]), last = logits[ids.length - 1];
  const { order, p } = choices(last, temperature, top_k), heads = Array.from({ length: num_heads }, (_, head) => head);
  return {
    logits, after: last.map((_, id) => p[order.indexOf(id)] ?? 0),
    A: cache.blocks.map(({ A }) => heads.map((head) => A.map((row) => ids.map((_, place) => row[head][place] ?? 0)))),
    norms: cache.streams.map((rows) => rows.map((row) => Math.hypot(...row))),
    lens: cache.streams[ids.length - 1].map((row) => [...cache.lens(row)]),
  };
}

const visible = (token) => token.replaceAll("\n", "↵").replaceAll(" ", "·");
const spoken = (token) => quoted(token.trim() || visible(token));
const inOneLine = (text) => text.replaceAll("\n", " ").replaceAll("<stop>", " ¶ ").trim();

function words({ tokens, written, temperature, top_k, layer, head }, { guesses, p, chosen, looked }) {
  const best = looked.indexOf(Math.max(...looked)), said = written ? `Written: ${quoted(inOneLine(written.slice(-200)))}. ` : "";
  return `${said}After ${quoted(inOneLine(tokens.slice(-5).join("")))} the likeliest next tokens are ` +
    `${spoken(guesses[0])}, ${number(p[0])}, and ${spoken(guesses[1])}, ${number(p[1] ?? 0)}, at T = ${number(temperature)}, k = ${top_k}. ` +
    `In layer ${layer + 1}, head ${head + 1}, ${spoken(tokens[chosen])} looks most at ${spoken(tokens[best])}, ${number(looked[best])}.`;
}

// The text in tokens, the model's memory of it, and a hand that writes on.
class Writer {
  constructor(get) {
    this.tokenizer = kit.bytePairTokenizer(get("merges"), get("special"));
    this.cache = new kit.KeyValueCache(kit.parametersFromBytes(get("weights"), get("shapes")), get("num_heads"));
    this.start = this.tokenizer.encode(get("special")[0]);
    this.ids = [];
    this.begin(get("text"));
  }
  begin(text) {
    Object.assign(this, { text, all: [...this.start, ...this.tokenizer.encode(text)], more: [], from: 0 });
    this.read();
  }
  // Read what is new. A text that is too long for the context loses its beginning.
  read() {
    const { cache, all } = this;
    if (all.length - this.from > cache.most) this.from = all.length - cache.most / 2;
    const ids = all.slice(this.from), different = ids.findIndex((id, i) => id !== this.ids[i]);
    cache.keep(different < 0 ? ids.length - 1 : different);
    while (cache.length < ids.length) this.logits = cache.extend(ids[cache.length]);
    this.ids = ids;
  }
  write({ order, p }) {
    let dice = Math.random(), place = 0;
    while (place < p.length - 1 && (dice -= p[place]) >= 0) place++;
    this.more.push(order[place]);
    this.all.push(order[place]);
    this.read();
  }
  get written() { return this.tokenizer.decode(this.more); }
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "A transformer that runs in this page"), get = (name) => model.get(name), set = figure.set;
  const writer = new Writer(get), { cache, tokenizer } = writer, layers = cache.blocks.length, heads = cache.numHeads;
  const next = () => choices(writer.logits, get("temperature"), get("top_k")), upTo = (n) => Array.from({ length: n }, (_, i) => String(i + 1));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let run = null, rate = 0;   // run: when the writing began, and how many tokens ago

  function stream() {
    if (!run) return;
    const end = performance.now() + FRAME;
    do { writer.write(next()); run.count++; } while (run.count < get("length") && get("pace") === 0 && performance.now() < end);
    if (run.count >= get("length")) return stop();
    if (!calm) paint(false);
    if (get("pace") === 0) requestAnimationFrame(stream); else setTimeout(stream, SLOW);
  }
  function stop() {
    if (!run) return;
    rate = (1000 * run.count) / (performance.now() - run.begun);
    run = null;
    write.textContent = "Write";
    set("written", writer.written);
  }
  function begin(text) {
    stop();
    writer.begin(text);
    rate = 0;
    set("chosen", -1);
    set("written", "");
  }

  figure.field("text", "Your text");
  const group = (buttons) => figure.controls.appendChild(h("div", { class: "ch-buttons" }, buttons));
  const write = figure.button("Write", () => {
    if (run) return stop();
    run = { begun: performance.now(), count: 0 };
    write.textContent = "Stop";
    set("chosen", -1);
    stream();
  });
  group([write,
    figure.button("One token", () => { stop(); writer.write(next()); set("chosen", -1); set("written", writer.written); }),
    figure.button("Start again", () => begin(get("text")))]);
  const presets = get("prompts").map(([name, prompt]) => figure.button(name, () => set("text", prompt)));
  group([h("span", { class: "ch-caption", text: "Or try" }), presets]);
  figure.slider("temperature", { label: "Temperature T", min: 0, max: 2, step: 0.05 });
  figure.slider("top_k", { label: "top-k", min: 1, max: 100, step: 1, show: String });
  figure.controls.append(h("div", { class: "ch-picks" }, figure.choice("pace", "Pace", ["as fast as it can", "slowly"])));

  const text = h("p", { class: "ch-written" }), tally = h("p", { class: "ch-caption ch-tally" }), bars = h("div", {});
  const first = () => Math.max(0, writer.ids.length - SHOWN);
  const row = kit.tokenRow(SHOWN, "Tokens. Choose one to see where it looks:", (i) => set("chosen", writer.from + first() + i));
  const grid = kit.headGrid(layers, heads, SHOWN, (layer, head) => { set("layer", layer); set("head", head); });
  const table = kit.streamTable(["embedding", ...upTo(layers).map((n) => `layer ${n}`)]);
  const captions = Array.from({ length: 3 }, () => h("p", { class: "ch-caption" }));
  const picks = h("div", { class: "ch-picks" }, figure.choice("layer", "Layer", upTo(layers)), figure.choice("head", "Head", upTo(heads)));
  const panels = [[captions[0], grid.svg, picks], [captions[1], table.table, captions[2], bars]].map((parts) => h("div", { class: "ch-panel" }, parts));
  figure.picture.append(text, tally, row.row, h("div", { class: "ch-panels" }, panels));

  function showText() {
    const written = writer.written.replaceAll(get("special")[0], " ¶ "), room = Math.max(0, LETTERS - written.length);
    text.replaceChildren(writer.text.slice(-room || writer.text.length), h("b", { text: written.slice(-LETTERS) }));
    tally.textContent = `${writer.ids.length} of ${cache.most} places are taken. ` + (writer.more.length
      ? `Written: ${writer.more.length} tokens${rate ? `, ${number(rate, 0)} a second` : ""}.`
      : `It will write ${get("length")} tokens, ${get("pace") ? "slowly" : "as fast as it can"}.`);
    presets.forEach((button, i) => button.setAttribute("aria-pressed", get("prompts")[i][1] === writer.text));
  }
  function paint(say = true) {
    const tokens = tokenizer.tokens(writer.ids), from = first(), at = get("chosen") - writer.from;
    const chosen = get("chosen") >= 0 && at >= from && at < tokens.length ? at : tokens.length - 1, token = quoted(visible(tokens[chosen]));
    const layer = Math.min(get("layer"), layers - 1), head = Math.min(get("head"), heads - 1);
    const weightsOf = (l, n) => cache.blocks[l].A[chosen][n], looked = [...weightsOf(layer, head)], { p } = next();
    const best = choices(writer.logits, 1, GUESSES).order, guesses = tokenizer.tokens(best);
    showText();
    row.show(tokens.slice(from).map(visible), looked.slice(from), chosen - from);
    captions[0].textContent = `Where ${token} looks: a row for each head, a square for each token` + (from ? "; the first square holds all earlier ones" : "");
    captions[1].textContent = `The residual stream of ${token}`;
    captions[2].textContent = "The next token: its logit, and its probability at T and top-k";
    grid.show(weightsOf, from, { layer, head, token });
    table.show(cache.streams[chosen], (x) => visible(tokenizer.tokens(choices(cache.lens(x), 1, 1).order)[0]));
    bars.replaceChildren(kit.bars(best.map((id, i) => `${visible(guesses[i])} ${number(writer.logits[id], 1)}`), best.map((_, i) => p[i] ?? 0)));
    const traits = { tokens, layer, head, written: get("written"), temperature: get("temperature"), top_k: get("top_k") };
    if (say) figure.say(words(traits, { guesses, p, chosen, looked }));
  }
  figure.on("text", () => begin(get("text")));
  figure.draw(["text", "written", "pace", "length", "temperature", "top_k", "layer", "head", "chosen"], () => paint());
  return () => { run = null; figure.stop(); };
}

export default { render, compute, Writer };
