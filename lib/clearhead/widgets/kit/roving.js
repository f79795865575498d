// Many cells, one stop of the Tab key: the arrow keys lead on from it, Home and End to the ends of its row.
Object.assign(kit, (() => {
  // `rows`: lists of elements. `choose` hears of the cell that is reached; it calls `reach` of the one that stays.
  function roving(box, rows, onChoose) {
    const setTabStop = (row, column) => rows.forEach((cells, i) => cells.forEach((cell, j) => { cell.tabIndex = i === row && j === column ? 0 : -1; }));
    const find = (cell) => { const row = rows.findIndex((cells) => cells.includes(cell)); return [row, row < 0 ? -1 : rows[row].indexOf(cell)]; };
    box.addEventListener("click", ({ target }) => { const [row, column] = find(target); if (row >= 0) onChoose(row, column); });
    box.addEventListener("keydown", (event) => {
      const [row, column] = find(event.target), last = rows[row]?.length - 1;
      const to = { ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1], ArrowDown: [row + 1, column], ArrowUp: [row - 1, column],
        Home: [row, 0], End: [row, last], Enter: [row, column], " ": [row, column] }[event.key];
      if (row < 0 || !to) return;
      event.preventDefault();
      const cell = rows[to[0]]?.[to[1]];
      if (!cell || cell.hidden) return;
      onChoose(...to);
      cell.focus();
    });
    return setTabStop;
  }
  return { roving };
})());
