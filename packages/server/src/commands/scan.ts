import { hostPlatform, type IndexedImage, type IndexOptions, type Platform, type ScanReport } from "@plimsoll/scanner";
import { parseAsOf } from "../cli/as-of.ts";
import { dayMs } from "../cli/database-age.ts";
import { documentStamp, gitHubJobOf } from "../cli/document-stamp.ts";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import { everyFinding, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { indexFormats, scanFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { imageName } from "../render/image-header.ts";
import { indexRenderers } from "../render/index-results.ts";
import { scanRenderers } from "../render/scan-results.ts";
import { readAttachedStatements } from "./attached-statements.ts";
import { isDataMissing } from "./check-data.ts";
import { kernelRule, readStatements, stateScans } from "./stated-scans.ts";

/**
 * `plimsoll scan SOURCE`: indexes an image, matches it against advisories, reports the findings and judges them.
 * @param asOfText the day or time of the advisories, in the form of `--as-of`; by default now
 */
export async function scan(session: Session, word: string, asOfText?: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const show = settings.show === undefined ? everyFinding : parseFindingFilter("--show", settings.show);
  const failOn = settings.failOn === undefined ? undefined : parseFindingFilter("--fail-on", settings.failOn);
  const gate = failOn === undefined ? {} : { failOn };
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: scanFormats, several: platform === "all" });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const asOf = asOfText === undefined ? undefined : parseAsOf(asOfText, io.now());
  const source = await session.source(word);
  const statements = await readStatements(session);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  if (await isDataMissing(session, scanner, failOn)) return exitCodes.database;
  const scans: ScanReport[] = [];
  const outdatedBefore = (asOf ?? io.now()) - settings.maxDbAgeDays * dayMs;
  const options = {
    ...indexOptions(session, platform),
    outdatedBefore,
    allowsNoAdvisories: true,
    asOf,
  };
  for await (const report of scanner.scanAll(source, options)) scans.push(report);
  session.progress.clear();
  const digests = scans.map(({ index }) => index.manifestDigest);
  const attached = await readAttachedStatements(session, source, digests);
  const { reports, notes: ofStatements } = stateScans(scans, statements, {
    now: io.now(),
    attached,
    ...kernelRule(session, word),
  });
  await writeResults(
    outputs,
    scanRenderers(reports, { show, palette, several: platform === "all", now: io.now(), stamp, ...gate }),
    io,
  );
  const { strict, allowIncomplete, maxDbAgeDays } = settings;
  const { code, reasons, notes } = judgeScans(reports, { strict, allowIncomplete, maxDbAgeDays, ...gate });
  for (const line of [...ofStatements, ...notes, ...reasons]) session.warn(line);
  return code;
}

/** `plimsoll index SOURCE`: lists what is in an image, without using advisories. */
export async function index(session: Session, word: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: indexFormats, several: platform === "all" });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const images = await indexImages(session, word);
  await writeResults(
    outputs,
    indexRenderers(images, { palette, several: platform === "all", now: io.now(), stamp }),
    io,
  );
  return judgeIndexing(session, images);
}

/** Indexes the images of a source, those that are chosen in the session. */
export async function indexImages(session: Session, word: string): Promise<readonly IndexedImage[]> {
  const source = await session.source(word);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  const images: IndexedImage[] = [];
  for await (const image of scanner.indexAll(source, indexOptions(session, session.platform()))) images.push(image);
  session.progress.clear();
  return images;
}

/** Options for indexing in a session: the chosen platform; otherwise that of this machine is preferred. */
export function indexOptions(session: Session, platform: Platform | "all" | undefined): IndexOptions {
  const { progress, io } = session;
  return {
    onEvent: (event) => progress.onIndexEvent(event),
    ...(platform === undefined ? { preferredPlatform: hostPlatform() } : { platform }),
    signal: io.signal,
  };
}

/** The exit code for indexed images: with `--strict`, one that could not be read completely fails the command. */
export function judgeIndexing(session: Session, images: readonly IndexedImage[]): ExitCode {
  const partial = images.filter((image) => image.report.coverage.status === "partial");
  if (!session.settings.strict || partial.length === 0) return exitCodes.ok;
  for (const image of partial) session.warn(`--strict: ${imageName(image)} could not be read completely`);
  return exitCodes.scan;
}
