/**
 * Text of an image or a feed in an element or a quoted attribute of HTML. Control characters, and what turns the direction of writing, are
 * shown as U+FFFD, so that nothing can look like something else.
 */
export function htmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"'`]/g, (special) => `&#${special.charCodeAt(0)};`);
}
