"use strict";
(() => {
  const table = document.querySelector("table.runs");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const controls = document.getElementById("controls");
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const selects = Array.from(controls.querySelectorAll("select"));
  controls.hidden = false;
  controls.addEventListener("submit", (e) => e.preventDefault());

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = selects.every((s) => !s.value || row.dataset[s.dataset.key] === s.value) && words.every((w) => text.includes(w));
      row.hidden = !fits;
      if (fits) n += 1;
    }
    shown.textContent = n === rows.length ? n + " runs" : n + " of " + rows.length + " runs";
  };
  search.addEventListener("input", apply);
  for (const s of selects) s.addEventListener("change", apply);

  const value = (row, k) => {
    const cell = row.cells[k];
    if (cell.dataset.v === undefined) return cell.textContent.trim().toLowerCase();
    return cell.dataset.v === "" ? null : Number(cell.dataset.v);
  };
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, k) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending" || (head.classList.contains("n") && head.getAttribute("aria-sort") === null);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = rows.map((row, i) => [value(row, k), i, row]);
      order.sort(([a, i], [b, j]) => {
        if (a === null || b === null) return a === b ? i - j : a === null ? 1 : -1;
        const by = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
        return by === 0 ? i - j : down ? -by : by;
      });
      body.append(...order.map(([, , row]) => row));
    });
  });
  apply();

  // Evidence and charts belong on paper; tables of iterations and of files stay folded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details.paper:not([open])"));
    for (const d of opened) d.open = true;
  });
  addEventListener("afterprint", () => {
    for (const d of opened) d.open = false;
  });
})();
