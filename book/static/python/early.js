document.documentElement.classList.add("ch-python");   // before the first paint: a check cell is not shown
