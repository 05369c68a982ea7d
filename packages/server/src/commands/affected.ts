import { safeText } from "@plimsoll/core/internal/safe-text";
import type { AffectedImage, AffectedImages } from "@plimsoll/scanner";
import { dayMs } from "../cli/database-age.ts";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import { everyFinding, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { affectedFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { affectedRenderers } from "../render/affected-results.ts";
import { counted } from "../render/terminal-text.ts";
import { isDataMissing } from "./check-data.ts";
import { readStatements, stateScans } from "./stated-scans.ts";

/** `plimsoll affected CVE`: lists the images scanned or indexed with this database that have a vulnerability. */
export async function affected(session: Session, vulnerability: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  if (vulnerability.trim() === "")
    throw new UsageError("affected: expected a vulnerability, for example CVE-2021-44228");
  const show = settings.show === undefined ? everyFinding : parseFindingFilter("--show", settings.show);
  const failOn = settings.failOn === undefined ? undefined : parseFindingFilter("--fail-on", settings.failOn);
  const outputs = await openOutputs(settings.output, { formats: affectedFormats });
  const statements = await readStatements(session);
  await using scanner = await session.openToRead();
  if (await isDataMissing(session, scanner, failOn)) return exitCodes.database;
  const found = await scanner.affected(vulnerability, {
    outdatedBefore: io.now() - settings.maxDbAgeDays * dayMs,
    signal: io.signal,
  });
  session.progress.clear();
  const images = found.images.flatMap((image) => {
    const [report = image.report] = stateScans([image.report], statements, { now: io.now() }).reports;
    return isNamed(report) ? [{ ...image, report }] : [];
  });
  const answer = { ...found, images };
  await writeResults(outputs, affectedRenderers(answer, { show, palette }), io);
  return judgeAnswer(session, answer, failOn);
}

/** Whether a report still has a finding or an undecided one. */
function isNamed({ vulnerabilities }: AffectedImage["report"]): boolean {
  const { packageVulnerabilities, undecided } = vulnerabilities;
  return Object.keys(packageVulnerabilities).length + undecided.length > 0;
}

/** The exit code, judged as for a scan of each image; a possibly incomplete list counts as an incomplete scan. */
function judgeAnswer(
  session: Session,
  answer: AffectedImages,
  failOn: ReturnType<typeof parseFindingFilter> | undefined,
): ExitCode {
  const { strict, allowIncomplete, maxDbAgeDays } = session.settings;
  const rules = { strict, allowIncomplete, maxDbAgeDays, failOn };
  const { code, reasons, notes } = judgeScans(
    answer.images.map(({ report }) => report),
    rules,
  );
  const missing = missingReasons(answer);
  const isJudged = code === exitCodes.gate || failOn === undefined || allowIncomplete;
  const fails = missing.length > 0 && (strict || !isJudged);
  const prefix = strict ? "--strict: " : "--fail-on could not judge: ";
  for (const line of notes) session.warn(line);
  for (const line of reasons) session.fail(line);
  for (const line of missing) {
    if (fails) session.fail(prefix + line);
    else session.warn(line);
  }
  return fails ? exitCodes.scan : code;
}

/** Why the list may lack images. */
function missingReasons(answer: AffectedImages): readonly string[] {
  const { names, isKnown, indexedCount, outdatedCount, undecidedPackages, feeds } = answer;
  if (indexedCount === 0) return ["no image was scanned with this database yet"];
  const uncovered = feeds.filter(({ covered }) => !covered);
  return [
    ...(isKnown ? [] : [`no loaded feed mentions ${safeText(names[0] ?? "")}`]),
    ...uncovered.map(
      ({ ecosystem }) => `no loaded feed covers ${safeText(ecosystem)}: run plimsoll db update for a feed that does`,
    ),
    ...(undecidedPackages === 0
      ? []
      : [
          `${counted(undecidedPackages, "package")} of these images cannot be judged, since facts about ${undecidedPackages === 1 ? "it" : "them"} are not known: a scan of each image names ${undecidedPackages === 1 ? "it" : "them"}`,
        ]),
    ...(outdatedCount === 0
      ? []
      : [
          `${counted(outdatedCount, "image")} ${outdatedCount === 1 ? "was" : "were"} read by an earlier version or with another index of Java archives, and may have other packages: name the same --java-index, or scan again`,
        ]),
  ];
}
