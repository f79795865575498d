// The tokenizer in a model's file: bytes written as visible signs, merged in a learnt order. It gives the ids that
// ByteLevelTokenizer of the library gives.
(globalThis.talk ??= {}).tokenizer = (metadata) => {
  const CONTROL = 3, MAX_CACHED_WORDS = 20000;
  const pieces = metadata["tokenizer.ggml.tokens"], ids = new Map(pieces.map((piece, id) => [piece, id]));
  const special = pieces.filter((_, id) => metadata["tokenizer.ggml.token_type"][id] === CONTROL);
  const ranks = new Map(metadata["tokenizer.ggml.merges"].map((pair, rank) => [pair, rank]));
  const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const characters = [], bytes = new Map();
  for (let byte = 0, next = 256; byte < 256; byte++) characters.push(String.fromCodePoint(isPrintable(byte) ? byte : next++));
  characters.forEach((character, byte) => bytes.set(character, byte));

  const escaped = special.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
  const specialPattern = new RegExp(`(${escaped.join("|")})`);
  // Digits are pieces of their own; then words and marks with the space before them, and runs of space.
  const chunk = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?[^\p{White_Space}\p{L}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;
  const cachedMerges = new Map();

  function merge(word) {
    if (cachedMerges.has(word)) return cachedMerges.get(word);
    let parts = [...new TextEncoder().encode(word)].map((byte) => characters[byte]).filter((character) => ids.has(character));
    while (parts.length > 1) {
      let best = Infinity, pair = null;
      for (let i = 0; i + 1 < parts.length; i++) {
        const rank = ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity;
        if (rank < best) { best = rank; pair = [parts[i], parts[i + 1]]; }
      }
      if (!pair) break;
      const joined = [];
      for (let i = 0; i < parts.length; i++)
        if (parts[i] === pair[0] && parts[i + 1] === pair[1]) { joined.push(pair.join("")); i += 1; } else joined.push(parts[i]);
      parts = joined;
    }
    const tokenIds = parts.map((part) => ids.get(part));
    if (cachedMerges.size >= MAX_CACHED_WORDS) cachedMerges.clear();
    cachedMerges.set(word, tokenIds);
    return tokenIds;
  }

  const ordinary = (text) => text.split(/(\p{N})/u).flatMap((part) => (part.match(chunk) ?? []).flatMap(merge));
  const encode = (text) => text.split(specialPattern).flatMap((part) => (special.includes(part) ? [ids.get(part)] : ordinary(part)));

  function decode(tokenIds) {
    const all = tokenIds.flatMap((id) => special.includes(pieces[id])
      ? [...new TextEncoder().encode(pieces[id])] : [...pieces[id]].map((character) => bytes.get(character)));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(all));
  }

  return { encode, decode, isSpecial: (id) => special.includes(pieces[id]) };
};
