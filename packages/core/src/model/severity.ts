/**
 * The six normalized severities of the scanner API, least first.
 */
export const severities = ["Unknown", "Negligible", "Low", "Medium", "High", "Critical"] as const;

/** One of {@link severities}. */
export type Severity = (typeof severities)[number];

/**
 * Orders severities: negative when `a` is less severe than `b`.
 * @example
 * compareSeverity("Low", "Critical") < 0; // true
 */
export function compareSeverity(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}

/**
 * The severity with the name `text`, ignoring case; undefined when there is none.
 * @example
 * findSeverity("CRITICAL"); // "Critical"
 * findSeverity("important"); // undefined
 */
export function findSeverity(text: string): Severity | undefined {
  const lower = text.toLowerCase();
  return severities.find((severity) => severity.toLowerCase() === lower);
}
