// The text in tokens, the model's cache, and the generation of more tokens.
Object.assign(kit, (() => {
  const OTHERS = 6;   // alternatives that are offered for a generated token

  // What may be drawn: the k most probable ids, and their probabilities at a temperature.
  function choices(logits, temperature, top_k) {
    const least = Float64Array.from(logits).sort()[Math.max(0, logits.length - top_k)], likely = [];
    logits.forEach((z, id) => { if (z >= least) likely.push(id); });
    const order = likely.sort((a, b) => logits[b] - logits[a] || a - b).slice(0, top_k);
    const below = order.map((id) => logits[id] - logits[order[0]]);
    return { order, p: kit.softmax(below.map((z) => (temperature > 0 ? z / temperature : z < 0 ? -Infinity : 0))) };
  }

  class Writer {
    constructor(get) {
      this.tokenizer = kit.bytePairTokenizer(get("merges"), get("special"));
      this.cache = new kit.KeyValueCache(kit.parametersFromBytes(get("weights"), get("scales"), get("shapes")), get("num_heads"));
      this.start = this.tokenizer.encode(get("special")[0]);
      this.ids = [];
      this.begin(get("text"));
    }
    begin(text) {
      this.prompt = [...this.start, ...this.tokenizer.encode(text)];
      Object.assign(this, { text, all: [...this.prompt], more: [], steps: [], from: 0 });
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
      this.put(order[place], { p: p[place], others: order.slice(0, OTHERS), shares: p.slice(0, OTHERS) });
    }
    put(id, step) {
      this.more.push(id);
      this.steps.push(step);
      this.all.push(id);
      this.read();
    }
    // Put another token at one position; what was generated after it is removed.
    instead(place, id) {
      const step = this.steps[place];
      this.all.length = this.prompt.length + place;
      this.more.length = this.steps.length = place;
      if (this.from >= this.all.length) this.from = 0;
      this.put(id, { ...step, p: step.shares[step.others.indexOf(id)] });
    }
    get ended() { return this.more[this.more.length - 1] === this.start[0]; }
    get written() { return this.tokenizer.decode(this.more); }
  }

  return { choices, Writer };
})());
