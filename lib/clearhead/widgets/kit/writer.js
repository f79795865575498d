// The text in tokens, the model's cache, and the generation of more tokens.
Object.assign(kit, (() => {
  const NUM_ALTERNATIVES = 6;   // alternatives that are offered for a generated token

  // What may be drawn: the k most probable ids, and their probabilities at a temperature.
  function choices(logits, temperature, top_k) {
    const threshold = Float64Array.from(logits).sort()[Math.max(0, logits.length - top_k)], candidates = [];
    logits.forEach((z, id) => { if (z >= threshold) candidates.push(id); });
    const order = candidates.sort((a, b) => logits[b] - logits[a] || a - b).slice(0, top_k);
    const shifted = order.map((id) => logits[id] - logits[order[0]]);
    return { order, p: kit.softmax(shifted.map((z) => (temperature > 0 ? z / temperature : z < 0 ? -Infinity : 0))) };
  }

  class Writer {
    constructor(get) {
      this.tokenizer = kit.bytePairTokenizer(get("merges"), get("special"));
      this.cache = new kit.KeyValueCache(kit.parametersFromBytes(get("weights"), get("scales"), get("shapes")), get("num_heads"));
      this.start = this.tokenizer.encode(get("special")[0]);
      this.ids = [];
      this.reset(get("text"));
    }
    reset(text) {
      this.prompt = [...this.start, ...this.tokenizer.encode(text)];
      Object.assign(this, { text, allIds: [...this.prompt], generatedIds: [], steps: [], from: 0 });
      this.read();
    }
    // Read what is new. A text that is too long for the context loses its beginning.
    read() {
      const { cache, allIds } = this;
      if (allIds.length - this.from > cache.maxLength) this.from = allIds.length - cache.maxLength / 2;
      const ids = allIds.slice(this.from), firstDifference = ids.findIndex((id, i) => id !== this.ids[i]);
      cache.truncate(firstDifference < 0 ? ids.length - 1 : firstDifference);
      while (cache.length < ids.length) this.logits = cache.extend(ids[cache.length]);
      this.ids = ids;
    }
    write({ order, p }) {
      let random = Math.random(), index = 0;
      while (index < p.length - 1 && (random -= p[index]) >= 0) index++;
      this.appendToken(order[index], { p: p[index], alternatives: order.slice(0, NUM_ALTERNATIVES), probabilities: p.slice(0, NUM_ALTERNATIVES) });
    }
    appendToken(id, step) {
      this.generatedIds.push(id);
      this.steps.push(step);
      this.allIds.push(id);
      this.read();
    }
    // Put another token at one position; what was generated after it is removed.
    replaceToken(index, id) {
      const step = this.steps[index];
      this.allIds.length = this.prompt.length + index;
      this.generatedIds.length = this.steps.length = index;
      if (this.from >= this.allIds.length) this.from = 0;
      this.appendToken(id, { ...step, p: step.probabilities[step.alternatives.indexOf(id)] });
    }
    get ended() { return this.generatedIds[this.generatedIds.length - 1] === this.start[0]; }
    get generatedText() { return this.tokenizer.decode(this.generatedIds); }
  }

  return { choices, Writer };
})());
