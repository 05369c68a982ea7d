import { type IndexProgress, type IndexReport, indexStates } from "../model/index-report.ts";
import {
  digestAt,
  documentPlace,
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, inSlices, type Steps, type YieldToOthers } from "../model/slices.ts";
import { billJson, parseBill } from "./bill.ts";
import { assumedCoverage, parseCoverage, toCoverageJson } from "./coverage.ts";
import { inventoryJson, parseInventory } from "./inventory.ts";
import { present } from "./members.ts";
import type { CoveredIndexReportJson, DescribedIndexReportJson, IndexReportJson } from "./shapes.ts";

/**
 * The `index_report` of the scanner API. Equal reports give equal bytes.
 * @example
 * declare const report: IndexReport;
 * const body = JSON.stringify(toIndexReportJson(report));
 */
export function toIndexReportJson(report: IndexReport): IndexReportJson {
  return allAtOnce(reportJson(report));
}

/**
 * {@link toIndexReportJson} in steps of less than a millisecond, for a thread with other work.
 * @param yieldToOthers called between steps; what it returns is awaited
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * declare const report: IndexReport;
 * const json = await toIndexReportJsonInSlices(report, () => setImmediate());
 */
export async function toIndexReportJsonInSlices(
  report: IndexReport,
  yieldToOthers: YieldToOthers,
): Promise<IndexReportJson> {
  return inSlices(reportJson(report), yieldToOthers);
}

function* reportJson(report: IndexReport): Steps<IndexReportJson> {
  return {
    manifest_hash: report.manifestDigest,
    state: report.state,
    success: report.success,
    ...present({ err: report.error }),
    ...(yield* inventoryJson(report)),
  };
}

/**
 * {@link toIndexReportJson} with the coverage, which the contract has no member for. For a Plimsoll matcher in another process;
 * {@link parseIndexReportJson} reads both forms.
 * @example
 * declare const report: IndexReport;
 * const { coverage } = toCoveredIndexReportJson(report);
 */
export function toCoveredIndexReportJson(report: IndexReport): CoveredIndexReportJson {
  return { ...toIndexReportJson(report), coverage: toCoverageJson(report.coverage) };
}

/**
 * {@link toCoveredIndexReportJson} in steps, as {@link toIndexReportJsonInSlices}.
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * declare const report: IndexReport;
 * const json = await toCoveredIndexReportJsonInSlices(report, () => setImmediate());
 */
export async function toCoveredIndexReportJsonInSlices(
  report: IndexReport,
  yieldToOthers: YieldToOthers,
): Promise<CoveredIndexReportJson> {
  return { ...(await toIndexReportJsonInSlices(report, yieldToOthers)), coverage: toCoverageJson(report.coverage) };
}

/**
 * {@link toCoveredIndexReportJsonInSlices} with what the records of packages say besides: licences, makers, what they need. For a Plimsoll registry
 * in another process; {@link parseIndexReportJson} reads it.
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * declare const report: IndexReport;
 * const { details } = await toDescribedIndexReportJsonInSlices(report, () => setImmediate());
 */
export async function toDescribedIndexReportJsonInSlices(
  report: IndexReport,
  yieldToOthers: YieldToOthers,
): Promise<DescribedIndexReportJson> {
  const covered = await toCoveredIndexReportJsonInSlices(report, yieldToOthers);
  return { ...covered, ...(await inSlices(billJson(report), yieldToOthers)) };
}

/**
 * Parses an index report of this indexer or another one. Unknown members are ignored. Without a `coverage` it is partial, with the problem
 * `coverage_unknown`.
 * @throws ScanError `malformed_report`, `malformed_digest`, `unsupported_digest`
 * @example
 * const response = await fetch("https://scanner.example.com/indexer/api/v1/index_report/sha256:0123");
 * const report = parseIndexReportJson(await response.json());
 */
export function parseIndexReportJson(json: Json): IndexReport {
  const place = documentPlace(json, "index report", "malformed_report");
  const inventory = parseInventory(place);
  const success = memberAt(place, "success");
  if (typeof success.value !== "boolean") throw unexpected(success, "true or false");
  const coverage = memberAt(place, "coverage");
  const error = optionalStringAt(memberAt(place, "err"));
  return {
    manifestDigest: digestAt(memberAt(place, "manifest_hash")),
    state: parseState(memberAt(place, "state"), { success: success.value, error }),
    success: success.value,
    ...present({ error }),
    ...inventory,
    ...parseBill(place),
    coverage: isAbsent(coverage) ? assumedCoverage(inventory, place.document) : parseCoverage(coverage),
  };
}

/** The contract leaves the states to the indexer: one that is not known follows from whether indexing succeeded or failed. */
function parseState(place: JsonPlace, { success, error }: IndexOutcome): IndexProgress {
  const text = stringAt(place);
  const state = indexStates.find((known) => known === text);
  if (state !== undefined) return state;
  if (success) return "IndexFinished";
  return error === undefined ? "CheckManifest" : "IndexError";
}

interface IndexOutcome {
  readonly success: boolean;
  readonly error: string | undefined;
}
