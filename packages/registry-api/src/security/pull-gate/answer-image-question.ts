import type { Ports } from "@plimsoll/registry/ports";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import type { ImageQuestion, QuestionWithRows } from "@plimsoll/registry/ports/large-images";
import { shownImageReport } from "@plimsoll/registry/security/image-security";
import { decideHere } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { listActiveRules } from "@plimsoll/registry/security/queries/findings";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { diffImages } from "../diff-images.ts";
import { type FindingPage, findingPage, type ImageFindings, readFindings } from "../finding-page.ts";
import { viewLicenses } from "../image-licenses.ts";
import { writeReport } from "../report-document.ts";
import { shownSecurity } from "../shown-security.ts";
import { viewGateHere } from "./view-manifest-gate.ts";

/** What is needed to answer questions about images. */
export interface AnswerDeps extends Pick<Ports, "imageScanner" | "reportWriter"> {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  /** The time of the request, in epoch milliseconds. */
  readonly now: number;
  /** Where a thread keeps the findings that its last page was of, so that the next page does not take as long; empty at first. */
  readonly keptFindings?: { last?: object };
}

/** How long findings are kept. A new `security_revision` of the image, of which the question tells, ends it earlier. */
export const findingsHoldMs = 60_000;

/**
 * Answers a question about images in this thread, whatever their size: for the threads of {@link LargeImages}.
 * @returns a value that `jsonPieces` can write
 * @throws RegistryError
 * @example
 * declare const deps: AnswerDeps;
 * declare const question: ImageQuestion;
 * const answer = await answerImageQuestion(deps, question, AbortSignal.timeout(60_000));
 */
export function answerImageQuestion(deps: AnswerDeps, asked: ImageQuestion, signal: AbortSignal): Promise<object> {
  const question = asked as QuestionWithRows;
  switch (question.kind) {
    case "security":
      return shownSecurity(deps, question, signal);
    case "findings":
      return pageOf(deps, question, signal);
    case "report":
      return shownImageReport(deps, question.manifest, signal);
    case "licenses":
      return viewLicenses(deps, question, signal);
    case "document":
      return writeReport(deps, question, signal);
    case "diff":
      return diffImages(deps, question, signal);
    case "decision":
      return decideHere(deps, question, signal);
    case "gate":
      return viewGateHere(deps, question, signal);
  }
}

/** The findings of an image that was asked about, and what they were read from. */
interface KeptFindings {
  readonly findings: ImageFindings;
  readonly basis: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

async function pageOf(
  deps: AnswerDeps,
  { manifest, wanted }: Extract<QuestionWithRows, { readonly kind: "findings" }>,
  signal: AbortSignal,
): Promise<FindingPage> {
  const { db, keptFindings = {}, now } = deps;
  const { id, security_revision: revision, repository_id: repositoryId } = manifest;
  const rules = await listActiveRules(db, { repositoryId, now }); // a job raises the revision for them, a moment later
  const basis = JSON.stringify([id, revision, rules.map((rule) => rule.id)]);
  const last = keptFindings.last as KeptFindings | undefined;
  if (last?.basis === basis && now < last.until) return findingPage(last.findings, wanted);
  keptFindings.last = undefined;
  const findings = await readFindings(deps, manifest, signal);
  const until = Math.min(now + findingsHoldMs, findings.until);
  keptFindings.last = { findings, basis, until } satisfies KeptFindings;
  return findingPage(findings, wanted);
}
