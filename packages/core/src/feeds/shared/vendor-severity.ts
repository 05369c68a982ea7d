import { findSeverity, type Severity } from "../../model/severity.ts";

/** Words of rpm distributions beside the normalized ones. */
const otherWords: ReadonlyMap<string, Severity> = new Map([
  ["moderate", "Medium"],
  ["important", "High"],
  ["urgent", "Critical"],
]);

/** What a vendor's word for a severity means, whatever its case; `None` and `N/A` say nothing. */
export function normalizeSeverity(word: string | undefined): Severity {
  if (word === undefined) return "Unknown";
  return findSeverity(word) ?? otherWords.get(word.toLowerCase()) ?? "Unknown";
}
