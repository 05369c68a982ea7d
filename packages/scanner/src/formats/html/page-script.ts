/**
 * The script of an HTML report: search, sorting, filters, keyboard shortcuts and the switch between light and dark. The page has all its
 * content without it. It reads only attributes of the page, writes no markup and makes no requests.
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
  const chips = [...document.querySelectorAll("[data-param]")];
  const isOn = (chip) => chip.getAttribute("aria-pressed") === "true";
  const press = (chip, on) => chip.setAttribute("aria-pressed", String(on));
  const texts = new Map(rows.map((row) => [row, row.dataset.text.toLowerCase()]));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const needed = chips.filter(isOn).map((chip) => chip.dataset);
    let shown = 0;
    for (const row of rows) {
      const text = texts.get(row);
      const fits = needed.every(({ param, value }) => row.dataset[param] === value) && words.every((word) => text.includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    status.textContent = shown === rows.length ? rows.length + " findings" : shown + " of " + rows.length + " findings";
    byId("nothing").hidden = shown > 0;
  };
  search.addEventListener("input", filter);
  for (const chip of chips)
    chip.addEventListener("click", () => {
      const on = !isOn(chip);
      for (const other of chips) if (other.dataset.param === chip.dataset.param) press(other, other === chip && on);
      filter();
    });
  byId("reset").addEventListener("click", () => {
    search.value = "";
    for (const chip of chips) press(chip, false);
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
