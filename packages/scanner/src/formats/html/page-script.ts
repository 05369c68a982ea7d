/**
 * The program of a report in HTML: search, sort, filter, keys and the choice between light and dark. The page is whole without it. It reads
 * only attributes of the page, writes no markup and asks no network.
 */
export const pageScript = `
"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const table = byId("findings");
  document.body.classList.remove("scriptless");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  byId("theme").addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });
  if (!table) return;
  const rows = [...table.tBodies].filter((body) => body.className === "finding");
  const search = byId("search");
  const status = byId("status");
  const levels = [...document.querySelectorAll("input[name=severity]")];
  const flags = [...document.querySelectorAll("input[name=only]")];
  const texts = new Map(rows.map((row) => [row, row.dataset.text.toLowerCase()]));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const wanted = new Set(levels.filter((level) => level.checked).map((level) => level.value));
    const needed = flags.filter((flag) => flag.checked).map((flag) => flag.value);
    let shown = 0;
    for (const row of rows) {
      const text = texts.get(row);
      const fits = wanted.has(row.dataset.severity) && needed.every((flag) => row.dataset[flag] === "1") && words.every((word) => text.includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    status.textContent = shown === rows.length ? rows.length + " findings" : shown + " of " + rows.length + " findings";
    byId("nothing").hidden = shown > 0;
  };
  search.addEventListener("input", filter);
  for (const input of [...levels, ...flags]) input.addEventListener("change", filter);
  byId("reset").addEventListener("click", () => {
    search.value = "";
    for (const level of levels) level.checked = true;
    for (const flag of flags) flag.checked = false;
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.append(...rows);
    filter();
  });
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  for (const button of table.tHead.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const isNumber = button.dataset.kind === "number";
      const before = head.getAttribute("aria-sort");
      const isUp = before === null ? !isNumber : before === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      const of = (row) => row.dataset[button.dataset.key] ?? "";
      const order = isNumber ? (a, b) => Number(of(a) || -1) - Number(of(b) || -1) : (a, b) => compare(of(a), of(b));
      table.append(...rows.toSorted((a, b) => (isUp ? order(a, b) : order(b, a))));
    });
  }
  const step = (by) => {
    const places = rows.filter((row) => row.parentNode && !row.hidden).sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1)).map((row) => row.querySelector("summary"));
    const at = places.indexOf(document.activeElement);
    places[Math.max(0, Math.min(places.length - 1, at + by))]?.focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === search) { search.value = ""; filter(); search.blur(); }
    if (event.target.closest("input")) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  filter();
})();
`;
