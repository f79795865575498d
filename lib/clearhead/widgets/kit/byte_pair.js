// Text to ids and back: clearhead.text's BytePairTokenizer. A piece is kept as a string of its bytes.
Object.assign(kit, (() => {
  // Python's re in JavaScript's words: \w is a letter, a number or "_"; \s has four signs more and one fewer.
  const LETTER = "[\\p{L}\\p{Nl}\\p{No}]", SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
  const MARK = `(?:(?!${SPACE})[^\\p{L}\\p{N}])`;
  const CHUNK = new RegExp(
    `'(?:s|t|re|ve|m|ll|d)| ?${LETTER}+| ?\\p{Decimal_Number}+| ?${MARK}+|${SPACE}+(?!(?!${SPACE})[^])|${SPACE}+`, "gu");
  const toBytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));
  const toText = (bytes) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));

  function bytePairTokenizer(merges, special) {
    const pieces = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)), ids = new Map(pieces.map((piece, i) => [piece, i]));
    const mergeRank = new Map(merges.map(([left, right], index) => {
      const piece = pieces[left] + pieces[right];
      if (!ids.has(piece)) ids.set(piece, pieces.push(piece) - 1);
      return [`${left} ${right}`, index];
    }));
    const first = pieces.length;   // the special tokens come last
    const escaped = [...special].sort((a, b) => b.length - a.length).map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const parts = (text) => (special.length ? text.split(new RegExp(`(${escaped.join("|")})`)) : [text]);

    // Apply the earliest learnt merge, everywhere, until none fits.
    function merge(chunk) {
      let row = [...toBytes(chunk)].map((byte) => ids.get(byte));
      while (row.length > 1) {
        const ranks = row.slice(1).map((right, i) => mergeRank.get(`${row[i]} ${right}`) ?? Infinity);
        const best = ranks.reduce((a, b) => Math.min(a, b));
        if (best === Infinity) break;
        const [left, right] = merges[best], joined = ids.get(pieces[left] + pieces[right]), next = [];
        for (let i = 0; i < row.length; i++)
          if (row[i] === left && row[i + 1] === right) { next.push(joined); i++; } else next.push(row[i]);
        row = next;
      }
      return row;
    }
    const encode = (text) => parts(text).flatMap((part) => {
      const index = special.indexOf(part);
      return index >= 0 ? [first + index] : (part.match(CHUNK) ?? []).flatMap(merge);
    });
    const bytesOf = (id) => (id < first ? pieces[id] : toBytes(special[id - first]));
    const decode = (row) => toText(row.map(bytesOf).join(""));
    return { encode, decode, tokens: (row) => row.map((id) => decode([id])) };
  }

  return { bytePairTokenizer };
})());
