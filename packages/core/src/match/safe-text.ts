/**
 * Makes untrusted text safe for one line of a terminal or a log: control characters, line separators and bidirectional
 * formatting characters are escaped as `\xNN` or `\uNNNN`.
 *
 * @example
 * safeText("a\u001b[31m"); // "a\\x1b[31m"
 */
export function safeText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (unsafe) => {
    const code = unsafe.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}
