import type { Scanner, ScanReport } from "@plimsoll/scanner";
import { databaseProblem, dayMs } from "../cli/database-age.ts";
import { documentStamp } from "../cli/document-stamp.ts";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import { everyFinding, type FindingFilter, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { gitHubJobOf } from "../cli/github-job.ts";
import { scanFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { scanRenderers } from "../render/scan-results.ts";
import { indexOptions } from "./index-options.ts";
import { readStatements, stateScans } from "./stated-scans.ts";

/** `plimsoll scan SOURCE`: index, match, report, judge. */
export async function scan(session: Session, word: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const show = settings.show === undefined ? everyFinding : parseFindingFilter("--show", settings.show);
  const failOn = settings.failOn === undefined ? undefined : parseFindingFilter("--fail-on", settings.failOn);
  const gate = failOn === undefined ? {} : { failOn };
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: scanFormats, several: platform === "all" });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const source = await session.source(word);
  const statements = await readStatements(session);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  if (await isDataMissing(session, scanner, failOn)) return exitCodes.database;
  const scans: ScanReport[] = [];
  const outdatedBefore = io.now() - settings.maxDbAgeDays * dayMs;
  const options = { ...indexOptions(session, platform), outdatedBefore, allowsNoAdvisories: true };
  for await (const report of scanner.scanAll(source, options)) scans.push(report);
  session.progress.clear();
  const { reports, notes: ofStatements } = stateScans(scans, statements, io.now());
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

/**
 * Says what is wrong with the advisory data; true when `--strict` forbids to go on with it, or when there is none and
 * `--fail-on` is to judge by it.
 */
async function isDataMissing(session: Session, scanner: Scanner, failOn: FindingFilter | undefined): Promise<boolean> {
  const { strict, allowIncomplete, maxDbAgeDays } = session.settings;
  const feeds = await scanner.feeds();
  const problem = databaseProblem(feeds, maxDbAgeDays, session.io.now());
  if (problem !== undefined) session.warn(problem);
  if (strict) return problem !== undefined;
  if (failOn === undefined || allowIncomplete || feeds.length > 0) return false;
  session.warn("--fail-on cannot judge without advisory data; --allow-incomplete lets it pass");
  return true;
}
