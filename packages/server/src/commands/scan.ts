import type { ScanReport } from "@plimsoll/scanner";
import { parseAsOf } from "../cli/as-of.ts";
import { dayMs } from "../cli/database-age.ts";
import { documentStamp } from "../cli/document-stamp.ts";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import { everyFinding, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { gitHubJobOf } from "../cli/github-job.ts";
import { scanFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { scanRenderers } from "../render/scan-results.ts";
import { readAttachedStatements } from "./attached-statements.ts";
import { isDataMissing } from "./check-data.ts";
import { indexOptions } from "./index-options.ts";
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
