import { ScanError } from "../errors.ts";

const shownLength = 100;

/** The error for a text that is no version (or constraint); a long text is shown by its beginning. */
export function malformedVersion(expected: string, text: string): ScanError {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return new ScanError("malformed_version", `expected ${expected}, found ${JSON.stringify(shown)}`);
}
