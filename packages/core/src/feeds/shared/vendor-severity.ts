import { findSeverity, type Severity } from "../../model/severity.ts";

/** Severity words of rpm distributions, besides the normalized ones. */
const otherWords: ReadonlyMap<string, Severity> = new Map([
  ["moderate", "Medium"],
  ["important", "High"],
  ["urgent", "Critical"],
]);

/** The normalized severity of a vendor's word, ignoring case; `Unknown` for other words, such as `None` and `N/A`. */
export function normalizeSeverity(word: string | undefined): Severity {
  if (word === undefined) return "Unknown";
  return findSeverity(word) ?? otherWords.get(word.toLowerCase()) ?? "Unknown";
}
