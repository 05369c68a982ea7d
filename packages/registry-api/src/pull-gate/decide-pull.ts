import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { listAliveTagsOf } from "../content/queries/tags.ts";
import { RegistryError } from "../errors.ts";
import { findingsOf } from "../security/image-findings.ts";
import { findImageReport, type SecurityContext } from "../security/image-security.ts";
import { missingOf } from "../security/missing-of-scan.ts";
import { isArtifact } from "../security/scannable-layers.ts";
import { parseGate } from "./gate.ts";
import { type GateVerdict, type JudgedImage, judgeImage } from "./judge-image.ts";

/** What one gate says of a pull. */
export interface GateOpinion extends GateVerdict {
  /** Whose gate it is. */
  readonly owner: "organization" | "repository";
  /** Whether the pull would be refused if the gate were enforced. */
  readonly denies: boolean;
  readonly isEnforced: boolean;
}

/** What all gates of a repository say of an image; none where nothing is judged. */
export interface PullDecision {
  readonly opinions: readonly GateOpinion[];
  /** When it has to be made again: epoch milliseconds. */
  readonly until: number;
}

/** For how long a decision holds at most: what scans, feeds and attached documents change is seen after that. */
export const decisionMs = 60_000;

/**
 * Whether any gate is for a repository.
 * @throws Error for one whose gates were not looked up: no look-up may lead round them
 */
export function isGated({ namespaceGate, repositoryGate, namespace, name }: ImageRepository): boolean {
  if (namespaceGate === undefined || repositoryGate === undefined) {
    throw new Error(`the pull gates of ${namespace}/${name} were not looked up`);
  }
  return namespaceGate !== null || repositoryGate !== null;
}

/**
 * Whether what is copied from one repository to another comes away from a gate that is enforced: a copy of a refused image could then be pulled.
 */
export function leavesGate(from: ImageRepository, to: Pick<ImageRepository, "id" | "namespace_id">): boolean {
  if (!isGated(from)) return false;
  const { namespaceGate, repositoryGate } = from;
  const isEnforced = (json: string | null | undefined) => !!json && parseGate(json).rules.mode === "enforce";
  return (
    (from.id !== to.id && isEnforced(repositoryGate)) ||
    (from.namespace_id !== to.namespace_id && isEnforced(namespaceGate))
  );
}

/**
 * Decides whether an image may be pulled now. Every role is answered alike. Image indexes pass, since each of their images is judged when
 * it is pulled itself; so do artifacts, such as signatures, which no runtime can start.
 */
export async function decidePull(
  context: SecurityContext,
  repository: ImageRepository,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<PullDecision> {
  const { now } = context;
  if (manifest.is_index === 1 || isArtifact(manifest)) return { opinions: [], until: Number.POSITIVE_INFINITY };
  const { isFinal, ...image } = await readImage(context, repository, manifest, signal);
  const ofOrganization = image.isByRepository && repository.namespaceGate;
  const organizations = { ...context, rulesOf: "organization" } as const;
  const others = ofOrganization ? await readImage(organizations, repository, manifest, signal) : image;
  const opinions = opinionsOf(repository, { organization: others, repository: image }, now);
  const longest = isFinal ? now + decisionMs : now;
  return { opinions, until: Math.min(longest, ...opinions.map(({ until }) => until)) };
}

/** Decides of an image that is still being brought in from another registry: nothing is known of it, so no scan clears it. */
export function decideArriving(repository: ImageRepository, digest: string, now: number): PullDecision {
  const references = [`${repository.namespace}/${repository.name}@${digest}`];
  const image = { references, findings: [], missing: "the image is still being brought in" };
  return { opinions: opinionsOf(repository, { organization: image, repository: image }, now), until: now };
}

/** An image as each gate sees it: who administers a repository alone does not open the gate of its organization. */
type SeenBy = Readonly<Record<GateOpinion["owner"], JudgedImage>>;

function opinionsOf(repository: ImageRepository, seenBy: SeenBy, now: number): readonly GateOpinion[] {
  const gates = [
    ["organization", repository.namespaceGate],
    ["repository", repository.repositoryGate],
  ] as const;
  return gates.flatMap(([owner, json]): GateOpinion[] => {
    if (!json) return [];
    const gate = parseGate(json);
    const verdict = judgeImage(gate, seenBy[owner], now);
    const denies = verdict.verdict === "deny" || (verdict.verdict === "pending" && gate.rules.pending === "deny");
    return [{ ...verdict, owner, denies, isEnforced: gate.rules.mode === "enforce" }];
  });
}

/** What is known of an image, and whether that stays so until feeds or documents change. */
interface ReadImage extends JudgedImage {
  readonly isFinal: boolean;
  /** Whether rules of the repository took findings out. */
  readonly isByRepository: boolean;
}

async function readImage(
  context: SecurityContext,
  { id: repositoryId, namespace, name }: ImageRepository,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<ReadImage> {
  const tags = await listAliveTagsOf(context.db, { repositoryId, manifestId: manifest.id, now: context.now });
  const path = `${namespace}/${name}`;
  const references = [`${path}@${manifest.digest}`, ...tags.map((tag) => `${path}:${tag.name}`)];
  const nothing = { references, findings: [], isFinal: false, isByRepository: false };
  try {
    const report = await findImageReport(context, manifest, signal);
    if (report.status !== "scanned") return { ...nothing, missing: notScanned(report) };
    const { usesRepositoryRules: isByRepository } = report;
    return {
      references,
      findings: findingsOf(report.report),
      missing: missingOf(report),
      isFinal: true,
      isByRepository,
    };
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === "downstream_issue")) throw error;
    return { ...nothing, missing: "the scanner cannot be asked at the moment" };
  }
}

function notScanned({ status, reason }: { readonly status: string; readonly reason?: string }): string {
  if (status === "queued") return "the image is not scanned yet";
  return `the image could not be scanned: ${reason ?? status.replaceAll("_", " ")}`;
}
