/**
 * Escapes text of an image or a feed for an element or a quoted attribute of HTML. Replaces control characters and those that change the
 * direction of text by U+FFFD, so that a text cannot look like another.
 */
export function htmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"'`]/g, (special) => `&#${special.charCodeAt(0)};`);
}
