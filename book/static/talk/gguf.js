// A model's file: its bytes flow into the memory of the kernel and stay packed there; its header says what they are.
(globalThis.talk ??= {}).gguf = () => {
  const KINDS = { 0: { name: "F32", numbers: 1, bytes: 4 }, 3: { name: "Q4_1", numbers: 32, bytes: 20 }, 8: { name: "Q8_0", numbers: 32, bytes: 34 } };
  const PAGE = 65536, LARGEST = 300e6;
  const refuse = (words) => { throw new Error(words); };
  const view = (blob, start, length) => blob.slice(start, start + length).arrayBuffer().then((bytes) => new DataView(bytes));

  // A wheel is a ZIP: its list of contents is at the end, and says where the model's file begins.
  async function inside(wheel) {
    const end = await view(wheel, Math.max(0, wheel.size - 65557), 65557);
    let at = end.byteLength - 22;
    while (at >= 0 && end.getUint32(at, true) !== 0x06054b50) at -= 1;
    if (at < 0) refuse("This ZIP file is incomplete, because its end is missing. Download it again.");
    const list = await view(wheel, end.getUint32(at + 16, true), end.getUint32(at + 12, true));
    for (let i = 0; i + 46 <= list.byteLength; ) {
      const [words, more, note] = [28, 30, 32].map((place) => list.getUint16(i + place, true));
      const name = new TextDecoder().decode(new Uint8Array(list.buffer, i + 46, words));
      const [packed, size, begin] = [20, 24, 42].map((place) => list.getUint32(i + place, true));
      if (name.endsWith(".gguf")) {
        const own = await view(wheel, begin, 30), start = begin + 30 + own.getUint16(26, true) + own.getUint16(28, true);
        const stream = wheel.slice(start, start + packed).stream();
        return { size, stream: list.getUint16(i + 10, true) ? stream.pipeThrough(new DecompressionStream("deflate-raw")) : stream };
      }
      i += 46 + words + more + note;
    }
    return refuse("There is no model in this ZIP file: no file in it ends in .gguf.");
  }

  // What is to be read: a file that was chosen, or an address beside the page.
  async function opened(source) {
    if (typeof source === "string") {
      const answer = await fetch(source).catch(() => refuse("The model's file could not be loaded. Check your network connection."));
      if (answer.status === 404) refuse("The model's file is not next to this page. Choose a copy from your disk, or, if you have built these pages, run “make llm”.");
      if (!answer.ok) refuse(`The model's file could not be loaded: the server answered with status ${answer.status}.`);
      return { size: Number(answer.headers.get("content-length")), stream: answer.body };
    }
    const sign = source.size < 24 ? 0 : (await view(source, 0, 4)).getUint32(0, true);
    if (sign === 0x04034b50) return inside(source);
    return sign === 0x46554747 ? { size: source.size, stream: source.stream() }
      : refuse(`“${source.name}” is not a model's file: it begins neither like a GGUF file nor like a wheel.`);
  }

  // Bytes go into the memory from `start` on; the memory grows with them.
  async function poured(source, memory, start, tell) {
    const { size, stream } = await opened(source), reader = stream.getReader();
    if (size > LARGEST) refuse(`The file is ${Math.round(size / 1e6)} MB large; this page opens files of at most ${LARGEST / 1e6} MB.`);
    let end = start, told = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => refuse("The file could not be read to its end: it is damaged, or no longer available."));
      if (done) break;
      const missing = end + value.length - memory.buffer.byteLength;
      if (end + value.length - start > LARGEST) refuse("The file is larger than its header says.");
      if (missing > 0) memory.grow(Math.ceil((missing + 8e6) / PAGE));
      new Uint8Array(memory.buffer).set(value, end);
      end += value.length;
      if (end - told > 1e6) tell((told = end) - start, size);
    }
    if (size && end - start < size) refuse("The file arrived incomplete. Try again.");
    return end;
  }

  function header(memory, start, end) {
    const data = new DataView(memory.buffer, start, end - start), bytes = new Uint8Array(memory.buffer), decoder = new TextDecoder();
    let at = 0;
    const read = (method, size) => { at += size; return data[method](at - size, true); };
    const long = () => Number(read("getBigUint64", 8)), int = () => read("getUint32", 4);
    const text = () => {
      const length = long();
      if (at + length > data.byteLength) throw new RangeError();
      at += length;
      return decoder.decode(bytes.slice(start + at - length, start + at));
    };
    const scalars = { 0: ["getUint8", 1], 1: ["getInt8", 1], 2: ["getUint16", 2], 3: ["getInt16", 2], 4: ["getUint32", 4], 5: ["getInt32", 4],
      6: ["getFloat32", 4], 7: ["getUint8", 1], 10: ["getBigUint64", 8], 11: ["getBigInt64", 8], 12: ["getFloat64", 8] };
    const value = (kind) => {
      if (kind === 8) return text();
      if (kind === 9) { const inner = int(), count = long(); return Array.from({ length: count }, () => value(inner)); }
      return scalars[kind] ? Number(read(...scalars[kind])) : refuse(`The header holds a value of kind ${kind}, which does not exist in GGUF: the file is damaged.`);
    };
    const tensor = () => {
      const name = text(), shape = Array.from({ length: int() }, long).reverse(), kind = KINDS[int()], place = long();
      if (!kind) refuse(`The tensor ${name} is packed in a format that this page cannot unpack; it unpacks Q4_1, Q8_0 and F32.`);
      const size = shape.reduce((a, b) => a * b, 1);
      return { name, shape, kind, place, size, bytes: (size / kind.numbers) * kind.bytes };
    };
    try {
      if (int() !== 0x46554747 || ![2, 3].includes(int())) refuse("This is not a GGUF file of version 2 or 3: it does not begin like one.");
      const numTensors = long(), numEntries = long(), metadata = {}, tensors = {};
      for (let i = 0; i < numEntries; i++) { const name = text(); metadata[name] = value(int()); }
      for (let i = 0; i < numTensors; i++) { const each = tensor(); tensors[each.name] = each; }
      const alignment = metadata["general.alignment"] ?? 32, begin = start + Math.ceil(at / alignment) * alignment;
      for (const each of Object.values(tensors)) {
        each.place += begin;
        if (each.place + each.bytes > end) refuse("The file is shorter than its header says, so a part is missing. Download it again.");
      }
      return { metadata, tensors };
    } catch (error) {
      if (error instanceof RangeError) refuse("The file ends in the middle of its header, or is damaged there. Download it again.");
      throw error;
    }
  }

  return { poured, header };
};
