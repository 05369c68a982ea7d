import type { Directory, Mailer } from "@plimsoll/registry-api";
import type { IndexSource, ReportSource } from "../registry/image-scanner.ts";
import { noteWork, type Outage } from "./outages.ts";

/** The same indexer of this process, of which is noted whether it works. */
export function watchedIndexer(indexer: IndexSource, outage: Outage): IndexSource {
  return {
    state: () => indexer.state(),
    submit: (manifest, options = {}) => noteUnlessAborted(outage, options, () => indexer.submit(manifest, options)),
    findReport: (digest) => noteWork(outage, indexer.findReport(digest)),
  };
}

/** The same matcher of this process, of which is noted whether it works. */
export function watchedReports(reports: ReportSource, outage: Outage): ReportSource {
  return {
    report: (digest, options = {}) => noteUnlessAborted(outage, options, () => reports.report(digest, options)),
  };
}

interface Abortable {
  readonly signal?: AbortSignal;
}

/** Whoever asked may not want it any more: that is no failure. */
function noteUnlessAborted<T>(outage: Outage, { signal }: Abortable, act: () => Promise<T>): Promise<T> {
  const work = act();
  return noteWork({ ...outage, failed: (error) => void (signal?.aborted || outage.failed(error)) }, work);
}

/** The same mailer, of which is noted whether its server takes mail. A message that it refuses is none of its failures. */
export function watchedMailer(mailer: Mailer, outage: Outage): Mailer {
  const send: Mailer["send"] = (mail) => mailer.send(mail);
  return {
    send: (mail) => noteWork({ ...outage, failed: (error) => isOfOneMail(error) || outage.failed(error) }, send(mail)),
  };
}

/** @see https://nodemailer.com/errors */
function isOfOneMail(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "EENVELOPE" || code === "EMESSAGE";
}

/** The same directory, of which is noted whether it answers. */
export function watchedDirectory(directory: Directory, outage: Outage): Directory {
  return { ...directory, listGroup: (group, options) => noteWork(outage, directory.listGroup(group, options)) };
}
