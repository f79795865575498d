// A part of the GPT, opened in place: its values, step by step.
Object.assign(kit, (() => {
  const { h, number } = kit;

  const few = (values) => `${Array.from(values.slice(0, 3), (x) => number(x)).join(", ")}, …`;
  function section(title, close, ...parts) {
    const button = h("button", { type: "button", class: "ch-button ch-close", text: "Close", "aria-keyshortcuts": "Escape" });
    button.addEventListener("click", close);
    return [h("div", { class: "ch-opened-head" }, h("h3", { text: title }), button), parts];
  }
  const readout = () => {
    const line = h("p", { class: "ch-caption ch-readout", text: "Point at a coloured cell to read its value. Yellow is positive, slate is negative." });
    return { line, tell: (text) => { line.textContent = text; } };
  };

  // A head: the query meets each key; scale, mask later tokens, turn into weights, mix the values.
  function openHead({ q, K, scores, scaled, masked, weights, V, z }, { names, told, asks, chosen, first, layer, head, colours, close, roomy }) {
    const { line, tell } = readout(), columns = roomy ? q.length : q.length / 2, cell = roomy ? [4, 14] : [2, 8];
    const strip = (values, name, most) => kit.strip(values, { name, columns, cell, most, colours, tell });
    const mostK = kit.largest(K.flatMap((k) => kit.largest(k))) * 0.8, mostV = kit.largest(V.flatMap((v) => kit.largest(v))) * 0.8;
    const best = weights.indexOf(Math.max(...weights));
    const heading = ["token", "K", "q · k", `÷ √${q.length}`, "mask", "softmax", "V"];
    const kinds = ["", "ch-as-key", "", "", "", "ch-as-weight", "ch-as-value"];
    const rows = names.map((token, s) => s < first ? null : h("tr", { class: s === best ? "ch-best" : s > chosen ? "ch-later" : "" },
      h("th", { scope: "row", "aria-label": told[s], text: token }),
      h("td", {}, strip(K[s], `k of ${told[s]}`, mostK)),
      h("td", { text: number(scores[s], 1) }), h("td", { text: number(scaled[s]) }),
      h("td", { text: masked[s] === -Infinity ? "−∞" : "✓", "aria-label": masked[s] === -Infinity ? "masked, minus infinity" : "allowed" }),
      h("td", { class: "ch-share", style: `--share:${weights[s].toFixed(4)}` }, h("span", { text: number(weights[s]) })),
      h("td", { style: `opacity:${(0.25 + 0.75 * weights[s]).toFixed(2)}` }, strip(V[s], `v of ${told[s]}`, mostV))));
    const earlier = weights.slice(0, first).reduce((a, b) => a + b, 0);
    const before = first ? h("tr", {}, h("th", { scope: "row", text: `${first} earlier` }), h("td", { colspan: 4 }), h("td", { text: number(earlier) }), h("td", {})) : null;
    const table = h("table", { class: "ch-table ch-steps" },
      h("thead", {}, h("tr", {}, heading.map((text, i) => h("th", { scope: "col", class: kinds[i], text })))),
      h("tbody", {}, h("tr", { class: "ch-asks" }, h("th", { scope: "row", class: "ch-as-query", text: `q of ${asks}` }), h("td", {}, strip(q, `q of ${asks}`)),
        h("td", { colspan: 5, text: roomy ? `(${few(q)}) is compared with every key` : "compared with every key" })), before, rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", text: roomy ? "Σ weight · v" : "Σ w · v" }), h("td", { colspan: 5, text: roomy ? `(${few(z)}) is the output for ${asks}` : `output for ${asks}` }), h("td", {}, strip(z, "output of the head")))));
    const way = h("p", {}, `For ${told[best]}: q · k = ${number(scores[best], 1)}; divided by √${q.length} that is ${number(scaled[best])}; after the softmax, the weight is `,
      h("b", { class: "ch-as-weight", text: number(weights[best]) }), `, the largest for ${asks}.`);
    return section(`Layer ${layer}, head ${head}: the query of ${asks} against all keys`, close, way, h("div", { class: "ch-scroll", tabindex: "0", role: "region", "aria-label": "The steps of this head" }, table), line);
  }
  const steps = (rows, tell, colours, width) => h("dl", { class: "ch-vectors" }, rows.map(([name, values, note]) => {
    const columns = Math.min(values.length, width > 560 ? 128 : 64), wide = Math.max(2, Math.min(5, Math.floor((width - 20) / columns)));
    return [h("dt", {}, h("b", { text: name }), ` ${note}`), h("dd", {}, kit.strip(values, { name, columns, cell: [wide, 9], colours, tell }))];
  }));

  // The feed-forward network: four times as many dimensions, GELU, and back.
  function openForward({ normed, up, raised, down }, { asks, layer, colours, close, width }) {
    const { line, tell } = readout(), awake = Array.from(raised).filter((x) => x > 0.1).length;
    const strongest = Array.from(raised.keys()).sort((a, b) => raised[b] - raised[a]).slice(0, 3);
    const rows = [["Input", normed, `the vector of ${asks} after the norm: ${normed.length} entries, (${few(normed)})`],
      ["Up", up, `after a linear map: ${up.length} entries, (${few(up)})`],
      ["GELU", raised, `leaves ${awake} of ${raised.length} entries above 0.1; the largest are ${strongest.map((i) => number(raised[i], 1)).join(", ")}`],
      ["Down", down, `after a second linear map: ${down.length} entries, (${few(down)}), which are added to the residual stream`]];
    return section(`Layer ${layer}: the feed-forward network processes ${asks} on its own`, close, steps(rows, tell, colours, width), line);
  }
  // Two rows of two tables, added.
  function openEmbedding({ token, position }, { asks, id, place, colours, close, width }) {
    const { line, tell } = readout(), sum = token.map((x, i) => x + position[i]);
    const rows = [["Token", token, `${asks} has the id ${id}: row ${id} of the token table, (${few(token)})`],
      ["Position", position, `it is at position ${place}: row ${place} of the position table, (${few(position)})`],
      ["Sum", sum, `the input of the first layer: ${sum.length} entries, (${few(sum)})`]];
    return section(`Embedding: ${asks} as a vector with ${sum.length} entries`, close, steps(rows, tell, colours, width), line);
  }

  return { openHead, openForward, openEmbedding };
})());
