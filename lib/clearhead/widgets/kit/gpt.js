// A GPT that reads one token after the other: the functions of clearhead.maths, each on one row of numbers.
Object.assign(kit, (() => {
  // Weights are kept turned, one row for each number that comes out, so that a dot product runs along the memory.
  function transposed(numbers, inputs, outputs) {
    const rows = new Float32Array(numbers.length);
    for (let j = 0, k = 0; j < outputs; j++) for (let i = 0; i < inputs; i++, k++) rows[k] = numbers[i * outputs + j];
    return rows;
  }

  // Nested parameters from bytes: a code for each number, a scale for each row, and [[name, shape], ...], which says what they are.
  function parametersFromBytes(bytes, scaleBytes, layout) {
    const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const scales = new Float32Array(scaleBytes.buffer.slice(scaleBytes.byteOffset, scaleBytes.byteOffset + scaleBytes.byteLength));
    const parameters = { blocks: [] };
    let offset = 0, row = 0;
    for (const [name, shape] of layout) {
      const size = shape.reduce((a, b) => a * b, 1), width = shape[shape.length - 1], path = name.split("."), last = path.pop();
      const numbers = new Float32Array(size);
      for (let i = 0; i < size; i++) numbers[i] = codes[offset + i] * scales[row + Math.floor(i / width)];
      const target = path.reduce((owner, step) => (owner[step] ??= {}), parameters);
      target[last] = last === "weight" ? transposed(numbers, ...shape) : numbers;
      offset += size;
      row += size / width;
    }
    return parameters;
  }
  // The same from nested lists.
  function parametersFromLists(value, name) {
    if (typeof value === "number") return value;
    if (Array.isArray(value) && !Array.isArray(value[0]) && typeof value[0] === "object") return value.map((each) => parametersFromLists(each));
    if (Array.isArray(value)) return name === "weight" ? transposed(value.flat(), value.length, value[0].length) : Float32Array.from(value.flat());
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, parametersFromLists(each, key)]));
  }

  function linear(x, { weight, bias }) {
    const inputs = x.length, y = bias ? bias.slice() : new Float32Array(weight.length / inputs);
    for (let j = 0, k = 0; j < y.length; j++) {
      let a = 0, b = 0, c = 0, d = 0, i = 0;   // four sums at a time keep the processor busy
      for (; i < inputs - 3; i += 4, k += 4) {
        a += x[i] * weight[k];
        b += x[i + 1] * weight[k + 1];
        c += x[i + 2] * weight[k + 2];
        d += x[i + 3] * weight[k + 3];
      }
      for (; i < inputs; i++, k++) a += x[i] * weight[k];
      y[j] += a + b + c + d;
    }
    return y;
  }
  function layerNorm(x, { gain, bias, eps = 1e-5 }) {
    const mean = x.reduce((a, b) => a + b) / x.length;
    const scale = 1 / Math.sqrt(x.reduce((sum, each) => sum + (each - mean) ** 2, 0) / x.length + eps);
    return x.map((each, i) => (each - mean) * scale * gain[i] + bias[i]);
  }
  // erf by Abramowitz and Stegun (1964), formula 7.1.26: wrong by less than 0.0000002.
  function erf(x) {
    const t = 1 / (1 + 0.3275911 * Math.abs(x));
    const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return Math.sign(x) * (1 - series * Math.exp(-x * x));
  }
  const gelu = (x) => x.map((each) => (each * (1 + erf(each * Math.SQRT1_2))) / 2);
  const add = (x, y) => x.map((each, i) => each + y[i]);

  // What clearhead.nets.cache calls KeyValueCache. It also remembers what the figure shows.
  class KeyValueCache {
    constructor(parameters, numHeads) {
      Object.assign(this, { parameters, numHeads, d_model: parameters.norm.gain.length, length: 0 });
      this.maxLength = parameters.positions.length / this.d_model;
      this.blocks = parameters.blocks.map(() => ({
        K: new Float32Array(this.maxLength * this.d_model), V: new Float32Array(this.maxLength * this.d_model), A: [], q: [], forward: [] }));
      this.streams = [];   // for each token: its row before the first block, and after each block
    }
    truncate(length) { this.length = Math.min(length, this.length); }
    // Read one token; return the logits of the next.
    extend(id) {
      const { tokens, positions, blocks } = this.parameters, D = this.d_model, t = this.length;
      const stream = [add(tokens.subarray(id * D, (id + 1) * D), positions.subarray(t * D, (t + 1) * D))];
      blocks.forEach((block, layer) => stream.push(this.encoderBlock(stream[layer], block, this.blocks[layer], t)));
      this.streams[t] = stream;
      this.length += 1;
      return this.lens(stream[blocks.length]);
    }
    encoderBlock(x, block, blockCache, t) {
      const y = add(x, this.attention(layerNorm(x, block.attention_norm), block.attention, blockCache));
      const normed = layerNorm(y, block.feed_forward_norm), up = linear(normed, block.feed_forward.up);
      const activations = gelu(up), down = linear(activations, block.feed_forward.down);
      blockCache.forward[t] = { normed, up, activations, down };
      return add(y, down);
    }
    attention(x, { query, key, value, output }, { K, V, A, q: queries }) {
      const D = this.d_model, d = D / this.numHeads, t = this.length, q = linear(x, query), z = new Float32Array(D);
      K.set(linear(x, key), t * D);
      V.set(linear(x, value), t * D);
      queries[t] = q;
      A[t] = Array.from({ length: this.numHeads }, (_, head) => {
        const scores = new Float32Array(t + 1), from = head * d, to = from + d;
        for (let s = 0; s <= t; s++) {
          for (let i = from; i < to; i++) scores[s] += q[i] * K[s * D + i];
          scores[s] /= Math.sqrt(d);
        }
        const weights = kit.softmax(scores);
        for (let s = 0; s <= t; s++) for (let i = from; i < to; i++) z[i] += weights[s] * V[s * D + i];
        return weights;
      });
      return linear(z, output);
    }
    // One head of one layer, opened: every step on the way from the query of token t to what it takes home.
    head(layer, head, t) {
      const { K, V, q } = this.blocks[layer], D = this.d_model, d = D / this.numHeads, from = head * d;
      const rows = (M) => Array.from({ length: this.length }, (_, s) => M.slice(s * D + from, s * D + from + d));
      const query = q[t].slice(from, from + d), keys = rows(K), values = rows(V);
      const scores = keys.map((k) => kit.dot(query, k)), scaled = scores.map((score) => score / Math.sqrt(d));
      const masked = scaled.map((score, s) => (s > t ? -Infinity : score)), weights = kit.softmax(masked);
      const z = Array.from(query, (_, i) => values.reduce((sum, v, s) => sum + weights[s] * v[i], 0));
      return { q: query, K: keys, scores, scaled, masked, weights, V: values, z };
    }
    // The two rows that are added before the first layer.
    embedding(id, t) {
      const { tokens, positions } = this.parameters, D = this.d_model;
      return { token: tokens.slice(id * D, (id + 1) * D), position: positions.slice(t * D, (t + 1) * D) };
    }
    // Logits from a row of any layer: of the last one they are the model's own, of the others a look through a lens.
    lens(x) { return linear(layerNorm(x, this.parameters.norm), { weight: this.parameters.tokens }); }
  }

  return { parametersFromBytes, parametersFromLists, KeyValueCache };
})());
