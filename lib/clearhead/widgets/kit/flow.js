// A whole GPT as one picture: tokens, their vectors, and what each layer carries from row to row.
// Wide, it is read from left to right, one row per token; narrow, from top to bottom, one column per token.
Object.assign(kit, (() => {
  const { h, s, number, unique } = kit;
  const WIDE = 800, STRIP = 64, THIN = 32, BARS = 196, FAINT = 0.03;   // pixels; the least weight that is drawn

  // Where things are, for a width in pixels. `along` is the direction of the layers, `across` goes from token to token.
  function wideLayout(width, layers) {
    const row = 25, top = 74, left = 92, step = (width - left - STRIP - BARS - 14) / layers, count = 16;
    const height = top + count * row, strip = (along) => ({ along, cellWidth: 4, cellHeight: 4, space: STRIP });
    return {
      wide: true, count, cell: row, height: height + 46, at: (along, i) => [along, top + (i + 0.5) * row],
      token: (i) => ({ left: 0, top: top + i * row, width: left - 6, height: row }),
      strips: Array.from({ length: layers + 1 }, (_, n) => strip(left + n * step)),
      spans: Array.from({ length: layers }, (_, n) => [left + n * step + STRIP + 3, left + (n + 1) * step - 3]),
      tiles: (n) => ({ left: left + n * step + STRIP - 6, top: 0, width: step - 8 }), tile: Math.min(30, (step - 16) / 5),
      embedding: { left: left - 42, top: 22 }, opened: () => ({ left: left - 4, top: top - 8, width: width - left + 4 }),
      note: (n) => ({ left: left + n * step - 14, top: height + 4, width: STRIP + 28 }),
      bars: { left: width - BARS, top: top - 4, width: BARS }, span: [left - 4, width - BARS - 12],
      out: (i) => `M${width - BARS - 12},${top + (i + 0.5) * row}C${width - BARS + 8},${top + (i + 0.5) * row} ${width - BARS - 20},${top + 40} ${width - BARS - 2},${top + 40}`,
    };
  }
  function narrowLayout(width, layers, openAt, openHeight) {
    const count = 13, cell = width / count, head = 92, tile = Math.min(56, width / 5 - 6), space = openHeight + 12, parts = [];
    let along = head + 38 + (openAt === 0 ? space : 0);
    for (let n = 0; n <= layers; n++) {
      const strip = along, note = strip + THIN + 3, tiles = note + 30, panel = tiles + tile + 44;
      const span = [panel + (openAt === n + 1 ? space : 0), panel + (openAt === n + 1 ? space : 0) + 64];
      parts.push({ strip, note, tiles, panel, span });
      along = span[1] + 4;
    }
    const end = parts[layers].note + 34;
    return {
      wide: false, count, cell, height: end + 206, at: (y, i) => [(i + 0.5) * cell, y],
      token: (i) => ({ left: i * cell, top: 0, width: cell, height: head }),
      strips: parts.map(({ strip }) => ({ along: strip, cellWidth: THIN / 2, cellHeight: 2, space: Math.min(24, cell - 3) })),
      spans: parts.map(({ span }) => span).slice(0, layers), tile,
      tiles: (n) => ({ left: 0, top: parts[n].tiles, width }), embedding: { left: 0, top: head + 4 },
      opened: (n) => ({ left: 0, top: n ? parts[n - 1].panel : head + 38, width }),
      note: (n) => ({ left: 0, top: parts[n].note, width }), bars: { left: 0, top: end, width }, span: [head, parts[layers].strip],
    };
  }
  const setBox = (element, box) => Object.entries(box).forEach(([side, size]) => { element.style[side] = `${size}px`; });

  // Tokens to choose from: native radio buttons; pointing at one shows it for as long as the pointer stays.
  function tokenOptions(count, choose, point) {
    const name = unique(), row = h("fieldset", { class: "ch-flow-tokens" }, h("legend", { class: "ch-hidden", text: "Token whose path is shown" }));
    const options = Array.from({ length: count }, (_, i) => {
      const input = h("input", { type: "radio", name, id: unique() }), label = h("label", { for: input.id });
      const option = h("span", { class: "ch-flow-token" }, input, label);
      input.addEventListener("change", () => choose(i));
      option.addEventListener("pointerenter", ({ pointerType }) => { if (pointerType === "mouse") point(i); });
      option.addEventListener("pointerleave", () => point(-1));
      return { option, input, label };
    });
    row.append(...options.map(({ option }) => option));
    return { row, options };
  }
  // The parts of each layer that open: its heads, and its feed-forward network.
  function tileGroups(layers, heads, open, point) {
    return Array.from({ length: layers }, (_, layer) => {
      const make = (part, head, label, name) => {
        const canvas = h("canvas", { "aria-hidden": "true" }), caption = h("span", { text: label });
        const tile = h("button", { type: "button", class: "ch-tile", "aria-expanded": "false", "aria-label": name }, canvas, caption);
        tile.addEventListener("click", () => open(part, layer, head));
        tile.addEventListener("pointerenter", () => point(part === "head" ? [layer, head] : null));
        tile.addEventListener("pointerleave", () => point(null));
        tile.addEventListener("focus", () => point(part === "head" ? [layer, head] : null));
        tile.addEventListener("blur", () => point(null));
        return { tile, canvas, caption, part, head };
      };
      const tiles = Array.from({ length: heads }, (_, head) => make("head", head, String(head), `Layer ${layer}, head ${head}: open it`));
      tiles.push(make("forward", 0, "feed", `Layer ${layer}, feed-forward network: open it`));
      const group = h("div", { class: "ch-tiles", role: "group", "aria-label": `Layer ${layer}` },
        h("b", { text: `Layer ${layer}` }), tiles.map(({ tile }) => tile));
      return { group, tiles };
    });
  }
  // The path from row to row: as wide as the weight.
  function attentionPaths(at, [from, to], { A, chosen, first, pointed, layer, count }) {
    const paths = [];
    A.forEach((row, head) => {
      if (pointed && (pointed[0] !== layer || pointed[1] !== head)) return;
      for (let source = first; source <= chosen; source++) {
        const weight = row[source];
        if (weight < FAINT || source - first >= count) continue;
        const control = from + (0.25 + 0.12 * head) * (to - from), [a, b, c, d] = [[from, source], [control, source], [control, chosen], [to, chosen]]
          .map(([along, token]) => at(along, token - first).map((x) => x.toFixed(1)).join());
        paths.push(s("path", { d: `M${a}C${b} ${c} ${d}`, "stroke-width": (0.6 + 6 * weight).toFixed(2), "stroke-opacity": (0.25 + 0.6 * weight).toFixed(2) }));
      }
    });
    return paths;
  }

  function flow(layers, heads, { choose, point, pointHead, open }) {
    const canvas = h("canvas", { "aria-hidden": "true" }), svg = s("svg", { class: "ch-paths", "aria-hidden": "true" });
    const tokens = tokenOptions(16, choose, point), groups = tileGroups(layers, heads, open, pointHead), bars = h("div", { class: "ch-flow-bars" });
    const embedding = h("button", { type: "button", class: "ch-tile ch-tile-wide", "aria-expanded": "false", text: "Embedding", "aria-label": "Embedding: open it" });
    embedding.addEventListener("click", () => open("embedding", 0, 0));
    const notes = Array.from({ length: layers + 1 }, () => h("p", { class: "ch-flow-note" })), panel = h("div", { class: "ch-opened", tabindex: "-1", hidden: true });
    const element = h("div", { class: "ch-flow" }, svg, canvas, tokens.row, embedding, groups.map(({ group }) => group), notes, bars, panel);
    let layout;

    function layOut(width, opened) {
      const narrow = width < WIDE, openAt = !opened ? -1 : opened.part === "embedding" ? 0 : opened.layer + 1;
      layout = narrow ? narrowLayout(width, layers, openAt, panel.offsetHeight) : wideLayout(width, layers);
      element.classList.toggle("ch-narrow", narrow);
      if (opened) setBox(panel, layout.opened(openAt));
      element.style.height = `${Math.max(layout.height, opened && !narrow ? panel.offsetTop + panel.offsetHeight : 0)}px`;
      setBox(embedding, layout.embedding);
      groups.forEach(({ group }, n) => { setBox(group, layout.tiles(n)); group.style.setProperty("--tile", `${layout.tile}px`); });
      notes.forEach((note, n) => setBox(note, layout.note(n)));
      setBox(bars, layout.bars);
      tokens.options.forEach(({ option }, i) => setBox(option, layout.token(i)));
      return layout;
    }
    function paintStrips(rows, first, colours, width) {
      const context = kit.sharp(canvas, width, layout.height), all = rows.slice(first);
      layout.strips.forEach(({ along, cellWidth, cellHeight, space }, n) => {
        const columns = Math.ceil(all[0][n].length / cellWidth), thickness = cellWidth * cellHeight;   // as wide as there is space, whatever the width of the model
        const size = [layout.wide ? Math.max(1, Math.floor(space / columns)) : space / columns, cellHeight];
        const max = kit.largest(all.flatMap((row) => kit.largest(row[n]))) * 0.5;
        all.forEach((row, i) => {
          const [x, y] = layout.at(along, i), corner = layout.wide ? [x, y - thickness / 2] : [x - (columns * size[0]) / 2, y];
          context.fillStyle = colours.ground;
          context.fillRect(...corner, columns * size[0], thickness);
          kit.paintCells(context, row[n], corner, columns, size, max, colours);
        });
      });
    }
    function paintPaths({ blocks, chosen, first, pointed, total }) {
      const { at, spans, span, count } = layout, line = (i, isSelected) => s("path", { class: isSelected ? "ch-highlighted" : "ch-dimmed", d: `M${at(span[0], i).join()}L${at(span[1], i).join()}` });
      const lines = Array.from({ length: total - first }, (_, i) => i).filter((i) => i !== chosen - first).map((i) => line(i, false));
      const bulge = ({ forward }, [, to], i) => {   // as high as the fraction that the feed-forward network adds
        const { down, normed } = forward[first + i], size = Math.min(11, 3 + 5 * (Math.hypot(...down) / Math.hypot(...normed)));
        const [x, y] = at(to - 6, i);
        return s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: (size / 2).toFixed(1), class: i === chosen - first ? "ch-bulge ch-highlighted" : "ch-bulge" });
      };
      const each = blocks.map((block, layer) => s("g", {},
        attentionPaths(at, [spans[layer][0], spans[layer][1] - 14], { A: block.A[chosen], chosen, first, pointed, layer, count }),
        Array.from({ length: total - first }, (_, i) => bulge(block, spans[layer], i))));
      const out = layout.out && s("path", { class: chosen === total - 1 ? "ch-highlighted" : "ch-dimmed", d: layout.out(total - 1 - first) });
      svg.replaceChildren(...lines, ...(out ? [out] : []), line(chosen - first, true), ...each);
    }
    function paintTiles({ blocks, chosen, first, total, opened, colours }) {
      groups.forEach(({ tiles }, layer) => tiles.forEach(({ tile, canvas: tileCanvas, part, head }) => {
        const isOpen = opened?.part === part && opened.layer === layer && (part !== "head" || opened.head === head);
        tile.setAttribute("aria-expanded", String(isOpen));
        const size = layout.tile - 4;
        if (part === "head") kit.paintTriangle(tileCanvas, size, blocks[layer].A.slice(0, total).map((row) => row[head]), first, chosen, colours);
        else kit.paintCells(kit.sharp(tileCanvas, size, size), blocks[layer].forward[chosen].activations, [0, 0], 23, [size / 23, size / 23], 0.7, colours);
      }));
      embedding.setAttribute("aria-expanded", String(opened?.part === "embedding"));
    }
    function show(state) {
      const { tokens: names, labels, weights, chosen, first, width } = state;
      tokens.options.forEach(({ option, input, label }, i) => {
        if (i >= Math.min(layout.count, names.length - first)) return option.remove();
        if (!option.isConnected) tokens.row.append(option);
        label.textContent = names[first + i];
        input.setAttribute("aria-label", labels[first + i]);
        label.style.setProperty("--weight", (weights[first + i] ?? 0).toFixed(3));
        input.checked = first + i === chosen;
        option.classList.toggle("ch-pinned", first + i === chosen);
      });
      svg.setAttribute("viewBox", `0 0 ${width} ${layout.height}`);
      Object.assign(svg.style, { width: `${width}px`, height: `${layout.height}px` });
      paintStrips(state.streams.slice(0, names.length), first, state.colours, width);
      paintPaths({ ...state, total: names.length });
      paintTiles({ ...state, total: names.length });
      notes.forEach((note, n) => note.replaceChildren(h("span", { text: `norm ${number(Math.hypot(...state.streams[chosen][n]), 1)}` }), " ",
        h("span", { text: "predicts " }, h("b", { text: state.lens(n) }))));
    }
    return { element, bars, panel, layOut, show, tileOf: ({ part, layer, head }) => part === "embedding" ? embedding
      : groups[layer].tiles.find((each) => each.part === part && (part !== "head" || each.head === head)).tile };
  }

  return { flow };
})());
