import { htmlText } from "../html-text.ts";

/** A table of texts. If it is wider than the page, it scrolls on its own, also with the keyboard. */
export function plainTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map((title) => `<th scope="col">${htmlText(title)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${htmlText(text)}</td>`).join("")}</tr>`).join("\n");
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return `<div class="table" tabindex="0" role="group" aria-label="${htmlText(titles.join(", "))}">${table}</div>`;
}
