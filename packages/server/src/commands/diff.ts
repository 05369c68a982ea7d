import { open } from "node:fs/promises";
import { fileProblem, utf8Of } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import type { Json } from "@plimsoll/core/report";
import {
  diffBills,
  diff as diffReports,
  type IndexedImage,
  parseVulnerabilityReportJson,
  type ReportDiff,
  ScanError,
  type Scanner,
  type ScanReport,
  scanOfReport,
  scanReport,
} from "@plimsoll/scanner";
import { parseAsOf } from "../cli/as-of.ts";
import { dayMs } from "../cli/database-age.ts";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import { everyFinding, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { diffFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { diffRenderers } from "../render/diff-results.ts";
import { isDataMissing } from "./check-data.ts";
import { indexOptions } from "./scan.ts";
import { readStatements, stateScans } from "./stated-scans.ts";

/** One side of a comparison. */
interface Side {
  readonly word: string;
  /** Epoch milliseconds. */
  readonly asOf?: number;
  /** The report file, if the word names one. */
  readonly file?: string;
}

/**
 * `plimsoll diff A [B]`: shows which packages and findings differ between two sides; the gate judges the new findings.
 * @param dates the values of `--as-of`
 */
export async function diff(session: Session, words: readonly string[], dates: readonly string[]): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const show = settings.show === undefined ? everyFinding : parseFindingFilter("--show", settings.show);
  const failOn = settings.failOn === undefined ? undefined : parseFindingFilter("--fail-on", settings.failOn);
  if (session.platform() === "all")
    throw new UsageError("--platform: diff compares single images: choose one platform instead of all");
  const outputs = await openOutputs(settings.output, { formats: diffFormats });
  const sides = await sidesOf(words, dates, io.now());
  const statements = await readStatements(session);
  const scans = await scanSides(session, sides, failOn);
  if (scans === undefined) return exitCodes.database;
  session.progress.clear();
  const { reports, notes: ofStatements } = stateScans(scans, statements, { now: io.now() });
  const [before, after] = reports as readonly [ScanReport, ScanReport];
  const found = diffReports(before.vulnerabilities, after.vulnerabilities);
  const [asOfBefore, asOfAfter] = sides.map(({ asOf }) => asOf);
  const bill = diffBills(before.index, after.index);
  const view = {
    diff: found,
    bill,
    before: { scan: before, asOf: asOfBefore },
    after: { scan: after, asOf: asOfAfter },
  };
  await writeResults(outputs, diffRenderers(view, { show, palette }), io);
  const { strict, allowIncomplete, maxDbAgeDays } = settings;
  const rules = { strict, allowIncomplete, maxDbAgeDays, finding: "new finding", failOn };
  const { code, reasons, notes } = judgeScans([withNewOnly(before, after, found)], rules);
  for (const line of [...ofStatements, ...notes]) session.warn(line);
  for (const line of reasons) session.fail(line);
  return code;
}

async function sidesOf(
  words: readonly string[],
  dates: readonly string[],
  now: number,
): Promise<readonly [Side, Side]> {
  const [first = "", second] = words;
  const [one, two, ...others] = dates.map((text) => parseAsOf(text, now));
  if (others.length > 0) throw new UsageError("--as-of: expected at most one date for each side");
  if (second === undefined && one === undefined)
    throw new UsageError("diff: expected two sources, or one and --as-of DATE");
  const asOfs = second === undefined ? [one, two] : [one, two ?? one];
  const sides = await Promise.all(
    [first, second ?? first].map(async (word, index) => {
      const [file, asOf] = [await findReportFile(word), asOfs[index]];
      if (file !== undefined && (asOf !== undefined || second === undefined))
        throw new UsageError(`--as-of: ${file} is a report, whose date is fixed`);
      return { word, file, asOf };
    }),
  );
  return sides as unknown as readonly [Side, Side];
}

/** Undefined if advisory data are missing. Opens no database if both sides are reports. */
async function scanSides(
  session: Session,
  sides: readonly Side[],
  failOn: Parameters<typeof isDataMissing>[2],
): Promise<readonly ScanReport[] | undefined> {
  const needsScanner = sides.some(({ file }) => file === undefined);
  await using scanner = needsScanner ? await session.openToRead({ indexesAtOnce: true }) : undefined;
  if (scanner !== undefined && (await isDataMissing(session, scanner, failOn))) return undefined;
  const indexed = new Map<string, IndexedImage>();
  const scans: ScanReport[] = [];
  for (const side of sides) scans.push(await scanSide(session, side, { scanner, indexed }));
  return scans;
}

async function scanSide(
  session: Session,
  { word, file, asOf }: Side,
  { scanner, indexed }: { readonly scanner: Scanner | undefined; readonly indexed: Map<string, IndexedImage> },
): Promise<ScanReport> {
  if (file !== undefined || scanner === undefined) return readReportFile(file ?? word);
  const { settings, io } = session;
  const image =
    indexed.get(word) ?? (await scanner.index(await session.source(word), indexOptions(session, session.platform())));
  indexed.set(word, image);
  const vulnerabilities = await scanner.match(image.report, {
    outdatedBefore: (asOf ?? io.now()) - settings.maxDbAgeDays * dayMs,
    allowsNoAdvisories: true,
    asOf,
    signal: io.signal,
  });
  return scanReport(image, vulnerabilities);
}

/** The second report with only the findings, undecided ones too, that the first one lacks. */
function withNewOnly(before: ScanReport, after: ScanReport, { added }: ReportDiff): ScanReport {
  const keyOf = (packageId: string, id: string) => `${packageId}\n${id}`;
  const isNew = new Set(added.map((each) => keyOf(each.package.id, each.vulnerability.id)));
  const known = new Set(undecidedOf(before).map(({ key }) => key));
  const undecided = undecidedOf(after).filter(({ key }) => !known.has(key));
  return {
    ...after,
    vulnerabilities: { ...after.vulnerabilities, undecided: undecided.map(({ each }) => each) },
    findings: (filter) =>
      after.findings(filter).filter((each) => isNew.has(keyOf(each.package.id, each.vulnerability.id))),
  };
}

/** Undecided findings, each with a key that is the same in another report about the same package. */
function undecidedOf({ vulnerabilities: { undecided, packages } }: ScanReport) {
  return undecided.map((each) => ({ each, key: `${packages[each.packageId]?.name}\n${each.name}\n${each.reason}` }));
}

const headBytes = 4096;
const maxReportBytes = 256 * 1024 ** 2;

/** The report file that a word names: `report:FILE`, or a file that begins like the output of `scan -o json`. */
async function findReportFile(word: string): Promise<string | undefined> {
  if (word.startsWith("report:")) return word.slice("report:".length);
  try {
    await using file = await open(word);
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    const head = new TextDecoder().decode(utf8Of(buffer.subarray(0, bytesRead), malformed(word)));
    return /^\s*\{/.test(head) && head.includes('"manifest_hash"') ? word : undefined;
  } catch {
    return undefined; // not a report file; opening the word as a source reports what is wrong
  }
}

function malformed(name: string) {
  return { name: safeText(name), code: "malformed_report" } as const;
}

/** Reads a report file, in UTF-8 or in UTF-16 with a byte order mark. @throws UsageError if it cannot be read, ScanError `malformed_report` if it is not a report of one image */
async function readReportFile(path: string): Promise<ScanReport> {
  const json = await readJson(path);
  return scanOfReport({ source: `report:${path}`, reference: path }, parseVulnerabilityReportJson(json));
}

async function readJson(path: string): Promise<Json> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxReportBytes) throw new UsageError(`${path} has ${size} bytes, more than ${maxReportBytes}`);
    return JSON.parse(new TextDecoder().decode(utf8Of(await file.readFile(), malformed(path)))) as Json;
  } catch (error) {
    if (error instanceof UsageError || error instanceof ScanError) throw error;
    const problem = error instanceof SyntaxError ? `${path} is not a JSON document` : fileProblem(path, "read", error);
    throw new UsageError(safeText(problem), { cause: error });
  }
}
