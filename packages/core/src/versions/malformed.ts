import { ScanError } from "../errors.ts";

const shownLength = 100;

/** The error for a text that is not a version (or constraint). The message shows only the beginning of a long text. */
export function malformedVersion(expected: string, text: string): ScanError {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return new ScanError("malformed_version", `expected ${expected}, found ${JSON.stringify(shown)}`);
}
