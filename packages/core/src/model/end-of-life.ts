/** The last day of security fixes for a distribution or package of a report. */
export type EndOfLife =
  /** Of a distribution. */
  | {
      /** `YYYY-MM-DD`: the last day with security fixes, without a subscription for longer support. */
      readonly day: string;
      readonly kind: "distribution";
      readonly distributionId: string;
    }
  /** Of a package, such as a runtime or framework with supported releases. */
  | {
      /** `YYYY-MM-DD`: the last day with security fixes, without a subscription for longer support. */
      readonly day: string;
      readonly kind: "package";
      readonly packageId: string;
      /** The display name of the product: `Python`. */
      readonly product: string;
      /** The release of the package's version: `3.8` for `3.8.20`. */
      readonly release: string;
    };

/**
 * The ends of life whose last day is before a time.
 * @param now epoch milliseconds
 * @example
 * declare const report: VulnerabilityReport;
 * for (const { day } of endedAt(report.endsOfLife, Date.now())) console.log(`no security fixes since ${day}`);
 */
export function endedAt(ends: readonly EndOfLife[], now: number): readonly EndOfLife[] {
  const today = new Date(now).toISOString().slice(0, 10);
  return ends.filter(({ day }) => day < today);
}
