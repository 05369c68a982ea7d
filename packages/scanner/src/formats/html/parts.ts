import { htmlText } from "../html-text.ts";

/** Texts in the type of a machine, each on a line. */
export function codes(texts: readonly string[]): string {
  return texts.map((text) => `<code>${htmlText(text)}</code>`).join("<br>");
}

/** Addresses as links, each on a line. */
export function links(urls: readonly string[]): string {
  return urls
    .map((url) => `<a href="${htmlText(url)}" rel="noreferrer noopener" target="_blank">${htmlText(url)}</a>`)
    .join("<br>");
}

/** A table of texts. */
export function plainTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map((title) => `<th scope="col">${htmlText(title)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${htmlText(text)}</td>`).join("")}</tr>`).join("\n");
  return `<table class="plain"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
