/** One level up. The reference implementation maps the tracker's urgencies so; `Unknown` stays. */
const raised: Readonly<Record<string, string>> = {
  Negligible: "Low",
  Low: "Medium",
  Medium: "High",
  High: "Critical",
};

/**
 * The severity that the reference implementation gives to a vulnerability of Debian's tracker: one level more than the urgency says. Programs
 * that were written for that implementation compare these words.
 * @param severity the normalized severity: one of {@link severities}
 * @see https://github.com/quay/claircore/blob/main/debian/severity.go
 * @example
 * raisedDebianSeverity("Low"); // "Medium"
 * raisedDebianSeverity("Unknown"); // "Unknown"
 */
export function raisedDebianSeverity(severity: string): string {
  return raised[severity] ?? severity;
}
