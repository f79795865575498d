// A part of the GPT, opened in place: its values, step by step.
Object.assign(kit, (() => {
  const { h, number } = kit;

  const firstEntries = (values) => `${Array.from(values.slice(0, 3), (x) => number(x)).join(", ")}, …`;
  function section(title, close, ...parts) {
    const button = h("button", { type: "button", class: "ch-button ch-close", text: "Close", "aria-keyshortcuts": "Escape" });
    button.addEventListener("click", close);
    return [h("div", { class: "ch-opened-head" }, h("h3", { text: title }), button), parts];
  }
  const readout = () => {
    const line = h("p", { class: "ch-caption ch-readout", text: "Point at a coloured cell to read its value. Yellow is positive, slate is negative." });
    return { line, onPoint: (text) => { line.textContent = text; } };
  };

  // A head: the query meets each key; scale, mask later tokens, turn into weights, mix the values.
  function openHead({ q, K, scores, scaled, masked, weights, V, z }, { names, labels, queryLabel, chosen, first, layer, head, colours, close, isWide }) {
    const { line, onPoint: showValue } = readout(), columns = isWide ? q.length : q.length / 2, cell = isWide ? [4, 14] : [2, 8];
    const strip = (values, name, max) => kit.strip(values, { name, columns, cell, max, colours, onPoint: showValue });
    const maxK = kit.largest(K.flatMap((k) => kit.largest(k))) * 0.8, maxV = kit.largest(V.flatMap((v) => kit.largest(v))) * 0.8;
    const strongest = weights.indexOf(Math.max(...weights));
    const heading = ["token", "K", "q · k", `÷ √${q.length}`, "mask", "softmax", "V"];
    const kinds = ["", "ch-as-key", "", "", "", "ch-as-weight", "ch-as-value"];
    const rows = names.map((token, s) => s < first ? null : h("tr", { class: s === strongest ? "ch-best" : s > chosen ? "ch-future" : "" },
      h("th", { scope: "row", "aria-label": labels[s], text: token }),
      h("td", {}, strip(K[s], `k of ${labels[s]}`, maxK)),
      h("td", { text: number(scores[s], 1) }), h("td", { text: number(scaled[s]) }),
      h("td", { text: masked[s] === -Infinity ? "−∞" : "✓", "aria-label": masked[s] === -Infinity ? "masked, minus infinity" : "allowed" }),
      h("td", { class: "ch-weight-bar", style: `--share:${weights[s].toFixed(4)}` }, h("span", { text: number(weights[s]) })),
      h("td", { style: `opacity:${(0.25 + 0.75 * weights[s]).toFixed(2)}` }, strip(V[s], `v of ${labels[s]}`, maxV))));
    const earlier = weights.slice(0, first).reduce((a, b) => a + b, 0);
    const before = first ? h("tr", {}, h("th", { scope: "row", text: `${first} earlier` }), h("td", { colspan: 4 }), h("td", { text: number(earlier) }), h("td", {})) : null;
    const table = h("table", { class: "ch-table ch-steps" },
      h("thead", {}, h("tr", {}, heading.map((text, i) => h("th", { scope: "col", class: kinds[i], text })))),
      h("tbody", {}, h("tr", { class: "ch-query-row" }, h("th", { scope: "row", class: "ch-as-query", text: `q of ${queryLabel}` }), h("td", {}, strip(q, `q of ${queryLabel}`)),
        h("td", { colspan: 5, text: isWide ? `(${firstEntries(q)}) is compared with every key` : "compared with every key" })), before, rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", text: isWide ? "Σ weight · v" : "Σ w · v" }), h("td", { colspan: 5, text: isWide ? `(${firstEntries(z)}) is the output for ${queryLabel}` : `output for ${queryLabel}` }), h("td", {}, strip(z, "output of the head")))));
    const explanation = h("p", {}, `For ${labels[strongest]}: q · k = ${number(scores[strongest], 1)}; divided by √${q.length} that is ${number(scaled[strongest])}; after the softmax, the weight is `,
      h("b", { class: "ch-as-weight", text: number(weights[strongest]) }), `, the largest for ${queryLabel}.`);
    return section(`Layer ${layer}, head ${head}: the query of ${queryLabel} against all keys`, close, explanation, h("div", { class: "ch-scroll", tabindex: "0", role: "region", "aria-label": "The steps of this head" }, table), line);
  }
  const vectorList = (rows, showValue, colours, width) => h("dl", { class: "ch-vectors" }, rows.map(([name, values, note]) => {
    const columns = Math.min(values.length, width > 560 ? 128 : 64), cellWidth = Math.max(2, Math.min(5, Math.floor((width - 20) / columns)));
    return [h("dt", {}, h("b", { text: name }), ` ${note}`), h("dd", {}, kit.strip(values, { name, columns, cell: [cellWidth, 9], colours, onPoint: showValue }))];
  }));

  // The feed-forward network: four times as many dimensions, GELU, and back.
  function openForward({ normed, up, activations, down }, { queryLabel, layer, colours, close, width }) {
    const { line, onPoint: showValue } = readout(), active = Array.from(activations).filter((x) => x > 0.1).length;
    const strongest = Array.from(activations.keys()).sort((a, b) => activations[b] - activations[a]).slice(0, 3);
    const rows = [["Input", normed, `the vector of ${queryLabel} after the norm: ${normed.length} entries, (${firstEntries(normed)})`],
      ["Up", up, `after a linear map: ${up.length} entries, (${firstEntries(up)})`],
      ["GELU", activations, `leaves ${active} of ${activations.length} entries above 0.1; the largest are ${strongest.map((i) => number(activations[i], 1)).join(", ")}`],
      ["Down", down, `after a second linear map: ${down.length} entries, (${firstEntries(down)}), which are added to the residual stream`]];
    return section(`Layer ${layer}: the feed-forward network processes ${queryLabel} on its own`, close, vectorList(rows, showValue, colours, width), line);
  }
  // Two rows of two tables, added.
  function openEmbedding({ token, position }, { queryLabel, id, index, colours, close, width }) {
    const { line, onPoint: showValue } = readout(), sum = token.map((x, i) => x + position[i]);
    const rows = [["Token", token, `${queryLabel} has the id ${id}: row ${id} of the token table, (${firstEntries(token)})`],
      ["Position", position, `it is at position ${index}: row ${index} of the position table, (${firstEntries(position)})`],
      ["Sum", sum, `the input of the first layer: ${sum.length} entries, (${firstEntries(sum)})`]];
    return section(`Embedding: ${queryLabel} as a vector with ${sum.length} entries`, close, vectorList(rows, showValue, colours, width), line);
  }

  return { openHead, openForward, openEmbedding };
})());
