/**
 * Escapes text of an image or a feed as one line of Markdown that is shown literally: without markup, links, HTML, and names of users or
 * issues that GitHub or GitLab would turn into links.
 *
 * @see https://github.github.com/gfm/
 * @example
 * markdownText("a|b"); // "a&#124;b"
 */
export function markdownText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~&@:$^]/g, (special) => `&#${special.charCodeAt(0)};`)
    .replace(/\b(www)\./gi, "$1&#46;")
    .replace(/^ *[-=]/, (first) => `&#${first.trim().charCodeAt(0)};`)
    .replace(/^ *(\d{1,9})\. /, "$1&#46; ")
    .trim();
}
