// The worker's side: it opens a file, reads, generates and inspects the model, and answers each request of the page under its id.
(globalThis.talk ??= {}).worker = () => {
  const START = 65536 * 4;   // behind the table of the kernel
  const PUBLISHED = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
  const pause = () => new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
  let model, tokenizer, stopped = false;

  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  async function open({ source }, onProgress) {
    const memory = new WebAssembly.Memory({ initial: 8 }), gguf = talk.gguf();
    const end = await gguf.loadInto(source, memory, START, (loaded, size) => onProgress({ loaded, size }));
    const file = gguf.header(memory, START, end);
    const digest = globalThis.crypto?.subtle && hex(await crypto.subtle.digest("SHA-256", new Uint8Array(memory.buffer, START, end - START)));
    model = await talk.engine(memory, file, end, talk.kernel());
    tokenizer = talk.tokenizer(file.metadata);
    return { sizes: model.sizes, stop: model.stop, name: file.metadata["general.name"] ?? "A model", published: digest ? digest === PUBLISHED : null };
  }

  const argmax = (row) => { let best = 0; for (let i = 1; i < row.length; i++) if (row[i] > row[best]) best = i; return best; };
  // Probabilities of a few words: the likeliest ones, and one that is asked for.
  function topProbabilities(row, count, tokenId) {
    const top = row[argmax(row)];
    let sum = 0;
    for (let i = 0; i < row.length; i++) sum += Math.exp(row[i] - top);
    const p = (id) => Math.exp(row[id] - top) / sum, best = [];
    for (let id = 0; id < row.length; id++) {
      if (best.length === count && row[id] <= row[best[count - 1]]) continue;
      let rank = best.length;
      while (rank > 0 && row[best[rank - 1]] < row[id]) rank -= 1;
      best.splice(rank, 0, id);
      best.length = Math.min(best.length, count);
    }
    return { best: best.map((id) => ({ id, text: tokenizer.decode([id]), p: p(id) })), p: tokenId === undefined ? undefined : p(tokenId) };
  }
  function sample(row, temperature) {
    if (!temperature) return argmax(row);
    const top = row[argmax(row)];
    let sum = 0, threshold = Math.random();
    for (let i = 0; i < row.length; i++) sum += Math.exp((row[i] - top) / temperature);
    for (let i = 0; i < row.length; i++) if ((threshold -= Math.exp((row[i] - top) / temperature) / sum) <= 0) return i;
    return argmax(row);
  }
  const lastLogits = (ids) => model.logits([[model.sizes.L, ids.length - 1]])[0];

  async function generate({ ids, length, temperature }, onProgress) {
    const all = [...ids], started = performance.now();
    let first = 0;
    stopped = false;
    const yieldControl = async () => { await pause(); if (stopped) throw new Error("stopped"); };
    try {
      for (let count = 0; count < length && all.length < model.sizes.C; count++) {
        await model.read(all, yieldControl);
        const row = lastLogits(all), id = sample(row, temperature), { p } = topProbabilities(row, 1, id);
        first ||= performance.now() - started;
        all.push(id);
        onProgress({ id, p, text: tokenizer.decode([id]), first });
        if (id === model.stop) break;
      }
    } catch (error) {
      if (error.message !== "stopped") throw error;
    }
    return { count: all.length - ids.length, first, milliseconds: performance.now() - started, contextFull: all.length >= model.sizes.C };
  }

  // Everything about one position: its alternatives, what each block would predict, and where each head attends.
  async function inspect({ ids, position }) {
    const { L, H, MAX_POSITIONS } = model.sizes, before = Math.max(0, position - 1);
    await model.read(ids);
    const { best, p } = topProbabilities(lastLogits(ids.slice(0, before + 1)), 10, ids[position]);
    const lens = [];
    for (let layer = 0; layer <= L; layer += MAX_POSITIONS) {
      const positions = Array.from({ length: Math.min(MAX_POSITIONS, L + 1 - layer) }, (_, i) => [layer + i, before]);
      lens.push(...model.logits(positions).map((row) => topProbabilities(row, 3).best));
    }
    const heads = Array.from({ length: L }, (_, layer) => Array.from({ length: H }, (_, head) => model.attentionWeights(layer, head, before).slice()));
    return { best, p: position ? p : undefined, lens, heads, before };
  }
  async function map({ ids, layer, head }) {
    await model.read(ids);
    return ids.map((_, position) => model.attentionWeights(layer, head, position).slice());
  }

  const read = async ({ ids }) => { await model.read(ids); return [...lastLogits(ids)]; };
  const encode = ({ text }) => tokenizer.encode(text), decode = ({ ids }) => tokenizer.decode(ids);
  const pieces = ({ ids }) => ids.map((id) => ({ id, text: tokenizer.decode([id]), special: tokenizer.isSpecial(id) }));
  const handlers = { open, generate, inspect, map, read, encode, decode, pieces, stop: () => { stopped = true; } };
  let queue = Promise.resolve();   // one thing after the other; only "stop" comes between
  globalThis.onmessage = ({ data: { id, method, ...inputs } }) => {
    const onProgress = (progress) => postMessage({ id, progress });
    const respond = async () => {
      try { postMessage({ id, result: await handlers[method](inputs, onProgress) }); } catch (error) {
        const message = error instanceof RangeError ? "This browser does not have enough memory for the model, which needs about 450 MB." : error.message;
        postMessage({ id, error: message });
      }
    };
    if (method === "stop") respond(); else queue = queue.then(respond);
  };
};
