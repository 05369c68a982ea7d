/** The end of life of a distribution of a report. */
export interface DistributionEnd {
  /** `YYYY-MM-DD`: the last day with security fixes, without a subscription for longer support. */
  readonly day: string;
  readonly kind: "distribution";
  readonly distributionId: string;
}

/** The end of life of a package of a report: of a runtime or framework whose releases get fixes for some time. */
export interface PackageEnd {
  /** `YYYY-MM-DD`: the last day with security fixes, without a subscription for longer support. */
  readonly day: string;
  readonly kind: "package";
  readonly packageId: string;
  /** The name of the product for people: `Python`. */
  readonly product: string;
  /** The release that the package's version is one of: `3.8` of `3.8.20`. */
  readonly release: string;
}

/** When something that a report lists gets no security fixes any more. */
export type EndOfLife = DistributionEnd | PackageEnd;

/**
 * Those that have come before a time.
 * @param now epoch milliseconds
 * @example
 * declare const report: VulnerabilityReport;
 * for (const { day } of endedAt(report.endsOfLife, Date.now())) console.log(`no security fixes since ${day}`);
 */
export function endedAt(ends: readonly EndOfLife[], now: number): readonly EndOfLife[] {
  const today = new Date(now).toISOString().slice(0, 10);
  return ends.filter(({ day }) => day < today);
}
