import { setTimeout as delay } from "node:timers/promises";
import {
  openRegistryReports,
  type RegistryReports,
  ScanError,
  type ScanReport,
  scanOfReport,
  type VulnerabilityReport,
} from "@plimsoll/scanner";
import { dayMs } from "../cli/database-age.ts";
import { documentStamp, gitHubJobOf } from "../cli/document-stamp.ts";
import type { ExitCode } from "../cli/exit-code.ts";
import { everyFinding, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { scanFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { wrongValue } from "../config/wrong-value.ts";
import { scanRenderers } from "../render/scan-results.ts";
import { indexOptions } from "./scan.ts";
import { readStatements, stateScans } from "./stated-scans.ts";

/** The flags of `report`. */
export interface ReportFlags {
  readonly username?: string;
  readonly passwordStdin?: true;
  /** Seconds, as the user wrote them. */
  readonly wait?: string;
}

/** `plimsoll report REF`: shows a running registry's report on one of its images. */
export async function report(session: Session, word: string, flags: ReportFlags): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const show = settings.show === undefined ? everyFinding : parseFindingFilter("--show", settings.show);
  const failOn = settings.failOn === undefined ? undefined : parseFindingFilter("--fail-on", settings.failOn);
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: scanFormats, several: platform === "all" });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const endAt = io.now() + 1000 * secondsOf(flags.wait);
  const registry = await session.registry(flags);
  const { onEvent: _, ...choice } = indexOptions(session, platform);
  await using reports = await openRegistryReports(word.replace(/^registry:/, ""), { ...registry, ...choice });
  const statements = await readStatements(session);
  const scans: ScanReport[] = [];
  for (const image of reports.images) {
    const vulnerabilities = await waitForReport(session, reports, { ...image, endAt });
    const { reference, platform, config } = image;
    const about = { source: reference, reference, platform, config };
    scans.push(scanOfReport(about, withAge(vulnerabilities, io.now() - settings.maxDbAgeDays * dayMs)));
  }
  session.progress.clear();
  const { reports: found, notes: ofStatements } = stateScans(scans, statements, { now: io.now() });
  await writeResults(
    outputs,
    scanRenderers(found, { show, palette, several: platform === "all", now: io.now(), stamp, failOn }),
    io,
  );
  const { strict, allowIncomplete, maxDbAgeDays } = settings;
  const rules = { strict, allowIncomplete, maxDbAgeDays, data: "registry", failOn } as const;
  const { code, reasons, notes } = judgeScans(found, rules);
  for (const line of [...reports.denials, ...ofStatements, ...notes]) session.warn(line);
  for (const line of reasons) session.fail(line);
  return code;
}

function secondsOf(text = "300"): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw wrongValue({ place: "--wait", expected: "a number of seconds", found: text });
}

const [firstDelayMs, maxDelayMs] = [200, 5000];

async function waitForReport(
  { io, progress }: Session,
  reports: RegistryReports,
  { reference, manifestDigest, endAt }: RegistryReports["images"][number] & { readonly endAt: number },
): Promise<VulnerabilityReport> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, maxDelayMs)) {
    const found = await reports.find(manifestDigest);
    if (found.kind === "scanned") return found.report;
    if (found.kind === "unscanned") throw unscanned(reference, found);
    const leftMs = endAt - io.now();
    if (leftMs <= 0)
      throw new ScanError("timed_out", `${reference} is not scanned yet: try again, or --wait for longer`);
    progress.show(`${reference}: waiting for its scan`);
    await delay(Math.min(delayMs, leftMs), undefined, io.signal ? { signal: io.signal } : {});
  }
}

function unscanned(reference: string, { status, reason }: { readonly status: string; readonly reason?: string }) {
  const why = reason === undefined ? "" : `: ${reason}`;
  if (status === "unsupported")
    return new ScanError("unsupported_source", `${reference} is not a kind of image that is scanned${why}`);
  return new ScanError("malformed_image", `the registry could not scan ${reference} (${status})${why}`);
}

/** Marks outdated feeds by the user's setting instead of the registry's. */
function withAge(found: VulnerabilityReport, oldestAt: number): VulnerabilityReport {
  const feeds = found.feeds.map((feed) => ({
    ...feed,
    outdated: feed.checkedAt !== undefined && feed.checkedAt < oldestAt,
  }));
  return { ...found, feeds };
}
