import type { IndexReport, VulnerabilityReport } from "@plimsoll/core";
import { type Explanation, explainStatements } from "@plimsoll/core/internal";
import { applyStatements, type StatementContext, type VexStatement } from "@plimsoll/core/vex";
import type { IndexedImage } from "@plimsoll/indexer";
import { type ScanReport, scanReport } from "./scan-report.ts";

/** A scan in which statements suppress findings. */
export interface StatedScan {
  /** Without the suppressed findings, which `vulnerabilities.suppressed` lists with their reasons. */
  readonly report: ScanReport;
  /** Statements that can suppress findings but matched none. */
  readonly unused: readonly VexStatement[];
  /** Statements that have expired. */
  readonly expired: readonly VexStatement[];
}

/** What decides besides the report whether a statement applies. */
export interface StatedOptions extends Pick<StatementContext, "kernel"> {
  /** Epoch milliseconds; statements that expire at or before this time do not apply. */
  readonly now: number;
  /** More digests by which statements may identify the image, such as that of an index that lists it. */
  readonly digests?: readonly string[];
}

/**
 * Suppresses the findings of a scan that statements declare not affected or fixed.
 *
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * declare const report: ScanReport;
 * const statements = parseVex(await readFile("app.openvex.json"), "app.openvex.json");
 * const { report: rest } = withStatements(report, statements, { now: Date.now() });
 */
export function withStatements(
  report: ScanReport,
  statements: readonly VexStatement[],
  { now, digests = [], kernel }: StatedOptions,
): StatedScan {
  const { vulnerabilities, index, findings: _findings, toJSON: _toJson, ...about } = report;
  const image = statedImage({ ...about, report: index }, { digests, kernel });
  const stated = applyStatements(vulnerabilities, statements, { ...image, now });
  return {
    report: scanReport({ ...about, report: index }, stated.report),
    unused: stated.unused,
    expired: stated.expired,
  };
}

/** An explanation, the statements about its image, and what decides whether they apply. */
export interface ExplainedImage extends StatedOptions {
  readonly explanation: Explanation;
  /** The image that was explained. */
  readonly image: StatedImage;
  readonly statements: readonly VexStatement[];
}

/**
 * Applies statements to an explanation: findings that a scan with the same statements suppresses become `suppressed`.
 * @example
 * declare const explained: ExplainedImage;
 * console.log(formatExplanation(withStatementsExplained(explained)));
 */
export function withStatementsExplained(explained: ExplainedImage): Explanation {
  const { explanation, image, statements, now, digests, kernel } = explained;
  const context = { ...statedImage(image, { digests, kernel }), now };
  return explainStatements(explanation, { ...context, report: image.report, statements });
}

type StatedImage = Pick<IndexedImage, "isFolder" | "reference" | "report">;

/** The name and the digests by which statements may identify an image, and whether it runs no kernel: a folder may be the root of a machine. */
function statedImage(
  { reference, report, isFolder }: StatedImage,
  { digests: more = [], kernel }: Pick<StatedOptions, "digests" | "kernel">,
) {
  const known = [report.manifestDigest, digestOf(reference), ...more].filter((each) => each !== undefined);
  const digests = [...new Set(known)];
  return { digests, reference, kernel: isFolder ? undefined : kernel };
}

/** The digest in a reference, which may be that of an index. */
function digestOf(reference: string): string | undefined {
  const at = reference.indexOf("@");
  return at < 0 ? undefined : reference.slice(at + 1);
}

/**
 * Creates a scan report from an existing vulnerability report, such as one of a service or of an earlier scan.
 * @param image the other data of the image
 * @param bill what records of packages say besides, from the index report that it was made of
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const json = JSON.parse(await readFile("report.json", "utf8"));
 * const earlier = scanOfReport({ source: "report.json", reference: "app:1" }, parseVulnerabilityReportJson(json));
 */
export function scanOfReport(
  image: Omit<IndexedImage, "report">,
  found: VulnerabilityReport,
  { details, dependencies }: Pick<IndexReport, "details" | "dependencies"> = {},
): ScanReport {
  const { manifestDigest, packages, distributions, repositories, environments, coverage } = found;
  const inventory = { packages, distributions, repositories, environments };
  const bill = { details, dependencies };
  const report = { manifestDigest, state: "IndexFinished", success: true, ...inventory, ...bill, coverage } as const;
  return scanReport({ ...image, report }, found);
}
