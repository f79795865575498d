// Maths and words of the kit: the same functions as clearhead.maths and clearhead.figures.words, on arrays of
// arrays. The files of the kit come before a figure's own file, in one module: `kit` is all that they add.
const kit = (() => {
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const transpose = (A) => A[0].map((_, j) => A.map((row) => row[j]));
  const matmul = (A, B) => { const columns = transpose(B); return A.map((row) => columns.map((c) => dot(row, c))); };
  function softmax(scores) {
    const top = Math.max(...scores);
    if (top === -Infinity) return scores.map(() => 0);
    const exponentials = scores.map((s) => Math.exp(s - top)), total = exponentials.reduce((a, b) => a + b, 0);
    return exponentials.map((r) => r / total);
  }
  function attention(Q, K, V, causal = false) {
    const scores = matmul(Q, transpose(K));
    const scaled = scores.map((row, i) =>
      row.map((s, j) => (causal && j > i ? -Infinity : s / Math.sqrt(K[0].length))));
    const weights = scaled.map(softmax);
    return { scores, scaled, weights, Z: matmul(weights, V) };
  }
  // Standard normal numbers that depend on nothing but the seed; Python draws the same (scaling.normals).
  function normals(seed, count) {
    const uniform = (index) => {
      const a = (seed + Math.imul(index, 0x6d2b79f5)) | 0;
      let t = Math.imul(a ^ (a >>> 15), a | 1);
      t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
      return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
    };
    const numbers = new Float64Array(count);  // filled by a loop: Float64Array.from takes several times as long
    for (let i = 0; i < count; i++)
      numbers[i] = Math.sqrt(-2 * Math.log(uniform(2 * i + 1))) * Math.cos(2 * Math.PI * uniform(2 * i + 2));
    return numbers;
  }

  // ---- Words ------------------------------------------------------------------------------------------
  function number(x, digits = 2) {
    if (x === -Infinity) return "−∞";
    const text = x.toFixed(digits);
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
  }
  const counted = (n) => n.toLocaleString("en-GB");
  function inUnits(bytes) {
    const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let index = 0;
    while (bytes >= 1000 && index < units.length - 1) { bytes /= 1000; index++; }
    return `${number(bytes, index ? 1 : 0)} ${units[index]}`;
  }
  const listed = (items) =>
    items.length < 2 ? items.join("") : items.slice(0, -1).join(", ") + " and " + items[items.length - 1];
  const quoted = (label) => `‘${label}’`;
  const vector = (v, digits = 2) => "(" + v.map((x) => number(x, digits)).join(", ") + ")";

  return { dot, transpose, matmul, softmax, attention, normals, number, counted, inUnits, listed, quoted, vector };
})();
