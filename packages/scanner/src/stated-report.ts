import { applyStatements, type VexStatement } from "@plimsoll/core";
import { type ScanReport, scanReport } from "./scan-report.ts";

/** A scan without what statements take out of it. */
export interface StatedScan {
  /** Its `vulnerabilities.suppressed` lists what was taken out, and why. */
  readonly report: ScanReport;
  /** Statements that would take findings out and were about none. */
  readonly unused: readonly VexStatement[];
  /** Statements that are over. */
  readonly expired: readonly VexStatement[];
}

/**
 * Takes the findings out of a scan that users state not to be affected, or to be fixed.
 *
 * @param now epoch milliseconds: statements that expire are over from then on
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * declare const report: ScanReport;
 * const statements = parseVex(await readFile("app.openvex.json"), "app.openvex.json");
 * const { report: rest } = withStatements(report, statements, Date.now());
 */
export function withStatements(report: ScanReport, statements: readonly VexStatement[], now: number): StatedScan {
  const { vulnerabilities, index, findings: _findings, toJSON: _toJson, ...about } = report;
  const digests = [...new Set([index.manifestDigest, digestOf(about.reference)])].filter((each) => each !== undefined);
  const stated = applyStatements(vulnerabilities, statements, { digests, reference: about.reference, now });
  return {
    report: scanReport({ ...about, report: index }, stated.report),
    unused: stated.unused,
    expired: stated.expired,
  };
}

/** That of an index, where the image was named by it. */
function digestOf(reference: string): string | undefined {
  const at = reference.indexOf("@");
  return at < 0 ? undefined : reference.slice(at + 1);
}
