// A model's file: its bytes flow into the memory of the kernel and stay packed there; its header says what they are.
(globalThis.talk ??= {}).gguf = () => {
  const TYPES = { 0: { name: "F32", elements: 1, bytes: 4 }, 3: { name: "Q4_1", elements: 32, bytes: 20 }, 8: { name: "Q8_0", elements: 32, bytes: 34 } };
  const PAGE = 65536, MAX_BYTES = 300e6;
  const fail = (words) => { throw new Error(words); };
  const view = (blob, start, length) => blob.slice(start, start + length).arrayBuffer().then((bytes) => new DataView(bytes));

  // A wheel is a ZIP: its list of contents is at the end, and says where the model's file begins.
  async function modelInWheel(wheel) {
    const end = await view(wheel, Math.max(0, wheel.size - 65557), 65557);
    let cursor = end.byteLength - 22;
    while (cursor >= 0 && end.getUint32(cursor, true) !== 0x06054b50) cursor -= 1;
    if (cursor < 0) fail("This ZIP file is incomplete, because its end is missing. Download it again.");
    const directory = await view(wheel, end.getUint32(cursor + 16, true), end.getUint32(cursor + 12, true));
    for (let i = 0; i + 46 <= directory.byteLength; ) {
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.getUint16(i + field, true));
      const name = new TextDecoder().decode(new Uint8Array(directory.buffer, i + 46, nameLength));
      const [compressedSize, size, headerStart] = [20, 24, 42].map((field) => directory.getUint32(i + field, true));
      if (name.endsWith(".gguf")) {
        const localHeader = await view(wheel, headerStart, 30), start = headerStart + 30 + localHeader.getUint16(26, true) + localHeader.getUint16(28, true);
        const stream = wheel.slice(start, start + compressedSize).stream();
        return { size, stream: directory.getUint16(i + 10, true) ? stream.pipeThrough(new DecompressionStream("deflate-raw")) : stream };
      }
      i += 46 + nameLength + extraLength + commentLength;
    }
    return fail("There is no model in this ZIP file: no file in it ends in .gguf.");
  }

  // What is to be read: a file that was chosen, or an address beside the page.
  async function openSource(source) {
    if (typeof source === "string") {
      const response = await fetch(source).catch(() => fail("The model's file could not be loaded. Check your network connection."));
      if (response.status === 404) fail("The model's file is not next to this page. Choose a copy from your disk, or, if you have built these pages, run “make llm”.");
      if (!response.ok) fail(`The model's file could not be loaded: the server answered with status ${response.status}.`);
      return { size: Number(response.headers.get("content-length")), stream: response.body };
    }
    const magic = source.size < 24 ? 0 : (await view(source, 0, 4)).getUint32(0, true);
    if (magic === 0x04034b50) return modelInWheel(source);
    return magic === 0x46554747 ? { size: source.size, stream: source.stream() }
      : fail(`“${source.name}” is not a model's file: it begins neither like a GGUF file nor like a wheel.`);
  }

  // Bytes go into the memory from `start` on; the memory grows with them.
  async function loadInto(source, memory, start, onProgress) {
    const { size, stream } = await openSource(source), reader = stream.getReader();
    if (size > MAX_BYTES) fail(`The file is ${Math.round(size / 1e6)} MB large; this page opens files of at most ${MAX_BYTES / 1e6} MB.`);
    let end = start, reported = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => fail("The file could not be read to its end: it is damaged, or no longer available."));
      if (done) break;
      const missing = end + value.length - memory.buffer.byteLength;
      if (end + value.length - start > MAX_BYTES) fail("The file is larger than its header says.");
      if (missing > 0) memory.grow(Math.ceil((missing + 8e6) / PAGE));
      new Uint8Array(memory.buffer).set(value, end);
      end += value.length;
      if (end - reported > 1e6) onProgress((reported = end) - start, size);
    }
    if (size && end - start < size) fail("The file arrived incomplete. Try again.");
    return end;
  }

  function header(memory, start, end) {
    const data = new DataView(memory.buffer, start, end - start), bytes = new Uint8Array(memory.buffer), decoder = new TextDecoder();
    let cursor = 0;
    const read = (method, size) => { cursor += size; return data[method](cursor - size, true); };
    const long = () => Number(read("getBigUint64", 8)), int = () => read("getUint32", 4);
    const text = () => {
      const length = long();
      if (cursor + length > data.byteLength) throw new RangeError();
      cursor += length;
      return decoder.decode(bytes.slice(start + cursor - length, start + cursor));
    };
    const scalars = { 0: ["getUint8", 1], 1: ["getInt8", 1], 2: ["getUint16", 2], 3: ["getInt16", 2], 4: ["getUint32", 4], 5: ["getInt32", 4],
      6: ["getFloat32", 4], 7: ["getUint8", 1], 10: ["getBigUint64", 8], 11: ["getBigInt64", 8], 12: ["getFloat64", 8] };
    const value = (type) => {
      if (type === 8) return text();
      if (type === 9) { const inner = int(), count = long(); return Array.from({ length: count }, () => value(inner)); }
      return scalars[type] ? Number(read(...scalars[type])) : fail(`The header holds a value of kind ${type}, which does not exist in GGUF: the file is damaged.`);
    };
    const tensor = () => {
      const name = text(), shape = Array.from({ length: int() }, long).reverse(), type = TYPES[int()], offset = long();
      if (!type) fail(`The tensor ${name} is packed in a format that this page cannot unpack; it unpacks Q4_1, Q8_0 and F32.`);
      const size = shape.reduce((a, b) => a * b, 1);
      return { name, shape, type, offset, size, bytes: (size / type.elements) * type.bytes };
    };
    try {
      if (int() !== 0x46554747 || ![2, 3].includes(int())) fail("This is not a GGUF file of version 2 or 3: it does not begin like one.");
      const numTensors = long(), numEntries = long(), metadata = {}, tensors = {};
      for (let i = 0; i < numEntries; i++) { const name = text(); metadata[name] = value(int()); }
      for (let i = 0; i < numTensors; i++) { const each = tensor(); tensors[each.name] = each; }
      const alignment = metadata["general.alignment"] ?? 32, dataStart = start + Math.ceil(cursor / alignment) * alignment;
      for (const each of Object.values(tensors)) {
        each.offset += dataStart;
        if (each.offset + each.bytes > end) fail("The file is shorter than its header says, so a part is missing. Download it again.");
      }
      return { metadata, tensors };
    } catch (error) {
      if (error instanceof RangeError) fail("The file ends in the middle of its header, or is damaged there. Download it again.");
      throw error;
    }
  }

  return { loadInto, header };
};
