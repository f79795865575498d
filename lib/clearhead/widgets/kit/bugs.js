// An attention layer, its pieces, the broken ones and eight tests: the same as in bugs.py, and in the same order.
Object.assign(kit, (() => {
  const range = (n, make) => Array.from({ length: n }, (_, i) => make(i));
  const sum = (row) => row.reduce((a, b) => a + b, 0);
  const close = (a, b) => Math.abs(a - b) <= 1e-8 + 1e-5 * Math.abs(b);

  const maskScores = (S, mask, filled = -Infinity) => S.map((head) => head.map((row, i) => row.map((v, j) => (mask[i][j] ? v : filled))));
  const softmaxRows = (S) => S.map((head) => head.map(kit.softmax));
  const triangle = (T, k) => range(T, (i) => range(T, (j) => j <= i + k));
  const chunks = (flat, rows, width) => range(rows, (i) => flat.slice(i * width, (i + 1) * width));
  const scoresWithScale = (root) => (Q, K) => Q.map((q, head) => kit.matmul(q, kit.transpose(K[head])).map((row) => row.map((v) => v / root(Q))));
  const normalised = (e) => e.map((head) => head.map((row) => { const all = sum(row); return row.map((v) => v / all); }));
  const PARTS = {
    scores: scoresWithScale((Q) => Math.sqrt(Q[0][0].length)),
    weights: (S, mask) => softmaxRows(maskScores(S, mask)),
    split: (x, H) => range(H, (head) => x.map((row) => chunks(row, H, row.length / H)[head])),
    merge: (Z) => Z[0].map((_, t) => Z.flatMap((head) => head[t])),
  };
  const weightsBug = (weights) => ({ weights });
  const BROKEN = [
    weightsBug((S, mask) => maskScores(S, mask).map((head) => kit.transpose(kit.transpose(head).map(kit.softmax)))),
    weightsBug((S, mask) => softmaxRows(S).map((head) => head.map((row, i) => row.map((v, j) => v * mask[i][j])))),
    weightsBug((S, mask) => softmaxRows(S.map((head) => head.map((row, i) => row.map((v, j) => v * mask[i][j]))))),
    weightsBug((S, mask) => softmaxRows(maskScores(S, mask, -20))),
    weightsBug((S, mask) => PARTS.weights(S, mask.map((row) => row.map((allowed) => !allowed)))),
    weightsBug((S) => PARTS.weights(S, triangle(S[0].length, 1))),
    weightsBug((S) => PARTS.weights(S, triangle(S[0].length, -1))),
    weightsBug((S, mask) => normalised(maskScores(S, mask).map((head) => head.map((row) => row.map((v) => Math.exp(v - Math.max(...row))))))),
    weightsBug((S, mask) => S.map((head) => head.map((row, i) => {
      const e = row.map((v, j) => Math.exp(v) * mask[i][j]), all = Math.max(sum(e), 1e-300);
      return e.map((v) => v / all);
    }))),
    { scores: scoresWithScale(() => 1) },
    { scores: scoresWithScale((Q) => Math.sqrt(Q.length * Q[0][0].length)) },
    { split: (x, H) => chunks(x.flat(), H, x.flat().length / H).map((head) => chunks(head, x.length, x[0].length / H)) },
    { merge: (Z) => chunks(Z.flat(2), Z[0].length, Z.flat(2).length / Z[0].length) },
  ];

  function layer({ x, W, num_heads }, mask, broken) {
    const { scores, weights, split, merge } = { ...PARTS, ...broken };
    const [Q, K, V] = range(3, (i) => split(kit.matmul(x, W[i]), num_heads)), A = weights(scores(Q, K), mask);
    return { A, Z: kit.matmul(merge(A.map((head, i) => kit.matmul(head, V[i]))), W[3]) };
  }

  // What a test reads: weights, a number for each row of each head, and whether it is right.
  function examine(broken, inputs, test) {
    const { x, num_heads } = inputs, T = x.length, causal = triangle(T, 0), last = (i) => i === T - 1;
    const f = (rows, mask) => layer({ ...inputs, x: rows }, mask, broken), scaled = (row, k) => row.map((v) => k * v);
    const outcome = (A, reading, right) => ({ A, reading, right });
    const rows = (A, transform) => A.map((head) => head.map(transform));
    const compareOutputs = (A, before, after, changed = () => false) => {
      const reading = before.map((row, i) => Math.max(...row.map((v, k) => Math.abs(v - after[i][k]))));
      const right = before.map((row, i) => changed(i) || row.every((v, k) => close(v, after[i][k])));
      return outcome(A, range(num_heads, () => reading), range(num_heads, () => right));
    };
    const causalRun = f(x, causal);
    switch (test) {
      case 0: {
        const after = f(x.map((row, i) => (last(i) ? row.map((v) => v + 1) : row)), causal);
        return compareOutputs(after.A, causalRun.Z, after.Z, last);
      }
      case 1: return outcome(causalRun.A, rows(causalRun.A, sum), rows(causalRun.A, (row) => close(sum(row), 1)));
      case 2: {
        const least = rows(causalRun.A, (row, i) => Math.min(...row.slice(0, i + 1)));
        return outcome(causalRun.A, least, rows(least, (v) => v > 0));
      }
      case 3: {
        const all = triangle(T, T), reversed = f([...x].reverse(), all);
        return compareOutputs(reversed.A, reversed.Z, f(x, all).Z.reverse());
      }
      case 4: {
        const pad = (i) => i >= T - 2, real = range(T, () => range(T, (j) => !pad(j)));
        const padded = f(x.map((row, i) => (pad(i) ? scaled(x[i - T + 2], 50) : row)), real);
        return compareOutputs(padded.A, f(x, real).Z, padded.Z, pad);
      }
      case 5: {
        const large = f(x.map((row) => scaled(row, 100)), causal);
        const after = f(x.map((row, i) => scaled(row, last(i) ? -200 : 100)), causal);
        const found = compareOutputs(large.A, large.Z, after.Z, last), finite = large.Z.flat().every(Number.isFinite);
        return { ...found, right: rows(found.right, (right) => right && finite) };
      }
      case 6: {
        const { A } = f(x, causal.map((row, i) => (i === 2 ? row.map(() => false) : row)));
        return outcome(A, rows(A, sum), rows(A, (row, i) => i !== 2 || row.every((v) => v === 0)));
      }
      case 7: {
        const [Q, K, V] = range(3, (i) => kit.matmul(x, inputs.W[i])), d = x[0].length / num_heads;
        const part = (M, head) => M.map((row) => row.slice(head * d, (head + 1) * d));
        const Z = range(num_heads, (head) => kit.attention(part(Q, head), part(K, head), part(V, head), true).Z);
        return compareOutputs(causalRun.A, causalRun.Z, kit.matmul(x.map((_, t) => Z.flatMap((head) => head[t])), inputs.W[3]));
      }
      default: return outcome(causalRun.A, rows(causalRun.A, sum), rows(causalRun.A, () => true));
    }
  }

  const passes = (bug, inputs) => range(8, (test) => examine(BROKEN[bug], inputs, test).right.flat().every(Boolean));
  function shuffled(seed) {
    const random = kit.normals(seed, BROKEN.length);
    return range(BROKEN.length, (i) => i).sort((a, b) => random[a] - random[b]);
  }

  return { range, sum, close, BROKEN, examine, passes, shuffled };
})());
