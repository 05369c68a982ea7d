import type { Severity } from "./severities.ts";

/** A severity, as a word in its colour. */
export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return <span className={`severity ${severity.toLowerCase()}`}>{severity}</span>;
}
