// The worker's side: it opens a file, reads, generates and looks inside, and answers each question of the page by its number.
(globalThis.talk ??= {}).worker = () => {
  const START = 65536 * 4;   // behind the table of the kernel
  const PUBLISHED = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
  const pause = () => new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
  let model, tokens, stopped = false;

  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  async function open({ source }, tell) {
    const memory = new WebAssembly.Memory({ initial: 8 }), gguf = talk.gguf();
    const end = await gguf.poured(source, memory, START, (got, size) => tell({ got, size }));
    const file = gguf.header(memory, START, end);
    const sum = globalThis.crypto?.subtle && hex(await crypto.subtle.digest("SHA-256", new Uint8Array(memory.buffer, START, end - START)));
    model = await talk.engine(memory, file, end, talk.kernel());
    tokens = talk.tokenizer(file.metadata);
    return { sizes: model.sizes, stop: model.stop, name: file.metadata["general.name"] ?? "A model", published: sum ? sum === PUBLISHED : null };
  }

  const likeliest = (row) => { let best = 0; for (let i = 1; i < row.length; i++) if (row[i] > row[best]) best = i; return best; };
  // Probabilities of a few words: the likeliest ones, and one that is asked for.
  function chances(row, count, asked) {
    const top = row[likeliest(row)];
    let sum = 0;
    for (let i = 0; i < row.length; i++) sum += Math.exp(row[i] - top);
    const p = (id) => Math.exp(row[id] - top) / sum, best = [];
    for (let id = 0; id < row.length; id++) {
      if (best.length === count && row[id] <= row[best[count - 1]]) continue;
      let place = best.length;
      while (place > 0 && row[best[place - 1]] < row[id]) place -= 1;
      best.splice(place, 0, id);
      best.length = Math.min(best.length, count);
    }
    return { best: best.map((id) => ({ id, text: tokens.decode([id]), p: p(id) })), p: asked === undefined ? undefined : p(asked) };
  }
  function drawn(row, temperature) {
    if (!temperature) return likeliest(row);
    const top = row[likeliest(row)];
    let sum = 0, mark = Math.random();
    for (let i = 0; i < row.length; i++) sum += Math.exp((row[i] - top) / temperature);
    for (let i = 0; i < row.length; i++) if ((mark -= Math.exp((row[i] - top) / temperature) / sum) <= 0) return i;
    return likeliest(row);
  }
  const last = (ids) => model.scores([[model.sizes.L, ids.length - 1]])[0];

  async function write({ ids, length, temperature }, tell) {
    const all = [...ids], begun = performance.now();
    let first = 0;
    stopped = false;
    const rest = async () => { await pause(); if (stopped) throw new Error("stopped"); };
    try {
      for (let count = 0; count < length && all.length < model.sizes.C; count++) {
        await model.read(all, rest);
        const row = last(all), id = drawn(row, temperature), { p } = chances(row, 1, id);
        first ||= performance.now() - begun;
        all.push(id);
        tell({ id, p, text: tokens.decode([id]), first });
        if (id === model.stop) break;
      }
    } catch (error) {
      if (error.message !== "stopped") throw error;
    }
    return { count: all.length - ids.length, first, milliseconds: performance.now() - begun, full: all.length >= model.sizes.C };
  }

  // Everything about one place: its alternatives, what each block would predict, and where each head attends.
  async function look({ ids, place }) {
    const { L, H, MOST } = model.sizes, before = Math.max(0, place - 1);
    await model.read(ids);
    const { best, p } = chances(last(ids.slice(0, before + 1)), 10, ids[place]);
    const lens = [];
    for (let layer = 0; layer <= L; layer += MOST) {
      const places = Array.from({ length: Math.min(MOST, L + 1 - layer) }, (_, i) => [layer + i, before]);
      lens.push(...model.scores(places).map((row) => chances(row, 3).best));
    }
    const heads = Array.from({ length: L }, (_, layer) => Array.from({ length: H }, (_, head) => model.look(layer, head, before).slice()));
    return { best, p: place ? p : undefined, lens, heads, before };
  }
  async function map({ ids, layer, head }) {
    await model.read(ids);
    return ids.map((_, position) => model.look(layer, head, position).slice());
  }

  const read = async ({ ids }) => { await model.read(ids); return [...last(ids)]; };
  const encode = ({ text }) => tokens.encode(text), decode = ({ ids }) => tokens.decode(ids);
  const pieces = ({ ids }) => ids.map((id) => ({ id, text: tokens.decode([id]), special: tokens.isSpecial(id) }));
  const known = { open, write, look, map, read, encode, decode, pieces, stop: () => { stopped = true; } };
  let line = Promise.resolve();   // one thing after the other; only "stop" comes between
  globalThis.onmessage = ({ data: { number, what, ...inputs } }) => {
    const tell = (part) => postMessage({ number, part });
    const answer = async () => {
      try { postMessage({ number, found: await known[what](inputs, tell) }); } catch (error) {
        const words = error instanceof RangeError ? "This browser does not have enough memory for the model, which needs about 450 MB." : error.message;
        postMessage({ number, error: words });
      }
    };
    if (what === "stop") answer(); else line = line.then(answer);
  };
};
