// The products of a language model, in WebAssembly with instructions that take 128 bits at once. The 3 kB of machine
// code are put together here, when the page runs: an instruction is a function that returns its bytes, after those
// of its arguments. It reads like the text form of WebAssembly, and there is no binary file to trust.
(globalThis.talk ??= {}).kernel = () => {
  const leb128 = (n) => {   // a number in as few bytes as it needs (LEB128, signed)
    const bytes = [];
    for (;;) {
      const low = n & 127;
      n >>= 7;
      if ((n === 0 && !(low & 64)) || (n === -1 && low & 64)) return [...bytes, low];
      bytes.push(low | 128);
    }
  };
  const unsignedLeb128 = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...unsignedLeb128(n >> 7)]);   // the same, unsigned
  const instruction = (code) => (...before) => [...before.flat(), code];
  const simdInstruction = (code, ...more) => (...before) => [...before.flat(), 0xfd, ...unsignedLeb128(code), ...more];
  const load = (...code) => (address, offset = 0) => [...address, ...code, 0, ...unsignedLeb128(offset)];

  const get = (i) => [0x20, i], set = (i, value) => [...value, 0x21, i], constant = (n) => [0x41, ...leb128(n)];
  const add = instruction(0x6a), subtract = instruction(0x6b), multiply = instruction(0x6c), left = instruction(0x74), addFloat = instruction(0x92);
  const loadHalf = load(0x2f), loadFloat = load(0x2a), load16 = load(0xfd, 0), loadToAll = load(0xfd, 9), loadOne = load(0xfd, 0x5c);
  const toAll = simdInstruction(0x13), toAllBytes = simdInstruction(0x0f), and = simdInstruction(0x4e), shiftRight = simdInstruction(0x6d);
  const lowSigned = simdInstruction(0x87), highSigned = simdInstruction(0x88), lowUnsigned = simdInstruction(0x89), highUnsigned = simdInstruction(0x8a);
  const addInt32 = simdInstruction(0xae), dot = simdInstruction(0xba), addFour = simdInstruction(0xe4), multiplyFour = simdInstruction(0xe6), toFloats = simdInstruction(0xfa);
  const lane = (i) => simdInstruction(0x1f, i), zeros = [0xfd, 0x0c, ...Array(16).fill(0)];
  const store = (address, value) => [...address, ...value, 0x38, 2, 0], store16 = (address, value) => [...address, ...value, 0xfd, 0x0b, 4, 0];
  const increment = (i, by) => set(i, add(get(i), by));
  const sumOfFour = (i) => addFloat(addFloat(lane(0)(get(i)), lane(1)(get(i))), addFloat(lane(2)(get(i)), lane(3)(get(i))));
  // Repeat while the counter, one less each time, is not 0.
  const repeat = (counter, ...body) =>
    [0x03, 0x40, ...body.flat(), ...subtract(get(counter), constant(1)), 0x22, counter, 0x0d, 0, 0x0b];

  // The six parameters (0 to 5) are integers; 6 to 8 are integers, too, and 9 to 31 hold 128 bits each.
  const I = 6, J = 7, K = 8, V = 9;
  const BLOCK_BYTES = 80;   // bytes of 32 numbers of one position: 32 integers of 16 bits, their scale, their sum, padding

  // y[p][row] = sum over blocks of (scale of weights · scale of x) · (integer weights · integer x) + smallest · sum of x:
  // the weights as they lie in the file, unpacked once for all positions p. Q4_1: 20 bytes a block, Q8_0: 34.
  function product(positions, fourBits) {
    const [w, x, y, rows, blocks, stride] = [0, 1, 2, 3, 4, 5].map(get), total = (p) => V + 8 + p, sum = V + 7;
    const half = (offset) => toAll(loadFloat(left(loadHalf(w, offset), constant(2))));   // through the table at 0
    const one = V + 4, other = V + 5, scale = V + 6, smallest = V + 16;
    const unpack = fourBits
      ? [set(sum, load16(w, 4)), set(one, and(get(sum), toAllBytes(constant(15)))), set(other, shiftRight(get(sum), constant(4))),
         set(smallest, half(2))]
      : [set(one, load16(w, 2)), set(other, load16(w, 18))];
    const [low, high] = fourBits ? [lowUnsigned, highUnsigned] : [lowSigned, highSigned];
    const widen = [low(get(one)), high(get(one)), low(get(other)), high(get(other))].map((each, i) => set(V + i, each));
    const each = (p) => {
      const four = [0, 1, 2, 3].map((i) => dot(get(V + i), load16(get(J), p * BLOCK_BYTES + 16 * i)));
      const products = toFloats(addInt32(addInt32(four[0], four[1]), addInt32(four[2], four[3])));
      const scaled = multiplyFour(products, multiplyFour(get(scale), loadToAll(get(J), p * BLOCK_BYTES + 64)));
      const shifted = () => addFour(get(total(p)), multiplyFour(get(smallest), loadOne(get(J), p * BLOCK_BYTES + 68)));
      return set(total(p), addFour(fourBits ? shifted() : get(total(p)), scaled));
    };
    const every = [...Array(positions).keys()];
    return repeat(3,
      every.map((p) => set(total(p), zeros)).flat(), set(J, x), set(K, blocks),
      repeat(K, set(scale, half(0)), ...unpack, ...widen, ...every.map(each),
        increment(0, constant(fourBits ? 20 : 34)), increment(J, constant(positions * BLOCK_BYTES))),
      ...every.map((p) => store(add(y, multiply(stride, constant(p))), sumOfFour(total(p)))), increment(2, constant(4)));
  }

  // out[t] = q · k[t], for `count` keys that lie `stride` bytes apart; `fours` is a quarter of their width.
  function scores() {
    const [q, k, out, , fours, stride] = [0, 1, 2, 3, 4, 5].map(get);
    return repeat(3,
      set(V, zeros), set(I, q), set(J, k), set(K, fours),
      repeat(K, set(V, addFour(get(V), multiplyFour(load16(get(I)), load16(get(J))))), increment(I, constant(16)), increment(J, constant(16))),
      store(out, sumOfFour(V)), increment(2, constant(4)), increment(1, stride));
  }

  // out = sum over t of a[t] · v[t], four numbers of the width at a time.
  function mix() {
    const [a, v, out, count, , stride] = [0, 1, 2, 3, 4, 5].map(get);
    return repeat(4,
      set(V, zeros), set(I, a), set(J, v), set(K, count),
      repeat(K, set(V, addFour(get(V), multiplyFour(loadToAll(get(I)), load16(get(J))))), increment(I, constant(4)), increment(J, stride)),
      store16(out, get(V)), increment(2, constant(16)), increment(1, constant(16)));
  }

  const POSITIONS = [1, 4, 8];
  const functions = { scores: scores(), mix: mix() };
  for (const p of POSITIONS) Object.assign(functions, { [`four${p}`]: product(p, true), [`eight${p}`]: product(p, false) });

  function bytes() {
    const section = (id, ...content) => [id, ...unsignedLeb128(content.flat().length), ...content.flat()];
    const text = (word) => [word.length, ...new TextEncoder().encode(word)], names = Object.keys(functions);
    const body = (code) => [2, 3, 0x7f, 23, 0x7b, ...code, 0x0b];
    return new Uint8Array([
      0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
      ...section(1, [1, 0x60, 6, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
      ...section(2, [1], text("page"), text("memory"), [2, 0, 1]),
      ...section(3, [names.length], names.map(() => 0)),
      ...section(7, [names.length], names.flatMap((name, i) => [...text(name), 0, i])),
      ...section(10, [names.length], names.flatMap((name) => [...unsignedLeb128(body(functions[name]).length), ...body(functions[name])])),
    ]);
  }

// A table of all numbers of 16 bits is at the beginning of the memory: 65,536 numbers of 32 bits.
  function float16Table(memory) {
    const table = new Float32Array(memory.buffer, 0, 65536);
    for (let i = 0; i < 65536; i++) {
      const exponent = (i >> 10) & 31, rest = i & 1023;
      const value = exponent === 31 ? (rest ? NaN : Infinity) : exponent ? (1 + rest / 1024) * 2 ** (exponent - 15) : rest * 2 ** -24;
      table[i] = i & 32768 ? -value : value;
    }
    return table;
  }

  const start = async (memory) => (await WebAssembly.instantiate(bytes(), { page: { memory } })).instance.exports;
  return { start, float16Table, bytes, POSITIONS, BLOCK_BYTES };
};
