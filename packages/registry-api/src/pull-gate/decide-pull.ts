import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { listAliveTagsOf } from "../content/queries/tags.ts";
import { RegistryError } from "../errors.ts";
import { findingsOf } from "../security/image-findings.ts";
import { findWholeScan, type SecurityContext } from "../security/image-security.ts";
import { missingOf } from "../security/missing-of-scan.ts";
import { isArtifact } from "../security/scannable-layers.ts";
import { withStatements } from "../security/stated-scan.ts";
import { parseGate } from "./gate.ts";
import { type GateVerdict, type JudgedImage, judgeImage } from "./judge-image.ts";

/** The verdict of one gate on a pull. */
export interface GateOpinion extends GateVerdict {
  /** The owner of the gate. */
  readonly owner: "organization" | "repository";
  /** Whether the pull would be refused if the gate were enforced. */
  readonly denies: boolean;
  readonly isEnforced: boolean;
}

/** The verdicts of all gates of a repository on an image; empty if nothing is judged. */
export interface PullDecision {
  readonly opinions: readonly GateOpinion[];
  /** When the decision expires, in epoch milliseconds. */
  readonly until: number;
}

/** The longest time that a decision is valid. A new `security_revision` of the image ends it earlier. */
export const decisionMs = 60_000;

/**
 * Whether a repository has a gate, of its own or of its organization.
 * @throws Error for a repository that was read without its gates, so that no query can bypass them by mistake
 */
export function isGated({ namespaceGate, repositoryGate, namespace, name }: ImageRepository): boolean {
  if (namespaceGate === undefined || repositoryGate === undefined) {
    throw new Error(`the pull gates of ${namespace}/${name} were not looked up`);
  }
  return namespaceGate !== null || repositoryGate !== null;
}

/**
 * Whether a copy from one repository to another would leave an enforced gate: the copy of a refused image could then be pulled.
 */
export function leavesGate(from: ImageRepository, to: Pick<ImageRepository, "id" | "namespace_id">): boolean {
  if (!isGated(from)) return false;
  const { namespaceGate, repositoryGate } = from;
  return (
    (from.id !== to.id && enforces(repositoryGate)) ||
    (from.namespace_id !== to.namespace_id && enforces(namespaceGate))
  );
}

/** Whether a gate of a repository is enforced, and not only logged. */
export function isEnforced({ namespaceGate, repositoryGate }: ImageRepository): boolean {
  return enforces(namespaceGate) || enforces(repositoryGate);
}

function enforces(json: string | null | undefined): boolean {
  return !!json && parseGate(json).rules.mode === "enforce";
}

/**
 * Decides whether an image may be pulled now, for all roles alike. Image indexes pass, since each of their images is judged when it is
 * pulled itself. Artifacts such as signatures pass too, since no runtime can start them.
 */
export async function decidePull(
  context: SecurityContext,
  { repository, manifest }: { readonly repository: ImageRepository; readonly manifest: ImageManifestRow },
  signal: AbortSignal,
): Promise<PullDecision> {
  const { now } = context;
  if (manifest.is_index === 1 || isArtifact(manifest)) return { opinions: [], until: Number.POSITIVE_INFINITY };
  const { isFinal, seenBy } = await readImage(context, { repository, manifest }, signal);
  const opinions = opinionsOf(repository, seenBy, now);
  const longest = isFinal ? now + decisionMs : now;
  return { opinions, until: Math.min(longest, ...opinions.map(({ until }) => until)) };
}

/** Decides about an image that is still being fetched from another registry. Without a scan, it is pending. */
export function decideArriving(repository: ImageRepository, digest: string, now: number): PullDecision {
  const references = [`${repository.namespace}/${repository.name}@${digest}`];
  const image = { references, findings: [], missing: "the image is still being brought in" };
  return { opinions: opinionsOf(repository, { organization: image, repository: image }, now), until: now };
}

/** The image as each gate sees it. They differ, since ignore rules of a repository do not apply to the gate of its organization. */
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

/** The findings of an image, and whether they stay the same until feeds or documents change. */
interface ReadImage {
  readonly isFinal: boolean;
  readonly seenBy: SeenBy;
}

async function readImage(
  context: SecurityContext,
  {
    repository: { id: repositoryId, namespace, name, namespaceGate },
    manifest,
  }: { readonly repository: ImageRepository; readonly manifest: ImageManifestRow },
  signal: AbortSignal,
): Promise<ReadImage> {
  const { db, ports, now } = context;
  const tags = await listAliveTagsOf(db, { repositoryId, manifestId: manifest.id, now });
  const path = `${namespace}/${name}`;
  const references = [`${path}@${manifest.digest}`, ...tags.map((tag) => `${path}:${tag.name}`)];
  const unknown = (missing: string): ReadImage => {
    const image = { references, findings: [], missing };
    return { isFinal: false, seenBy: { organization: image, repository: image } };
  };
  try {
    const scan = await findWholeScan(context, manifest, signal);
    if (scan.status !== "scanned") return unknown(notScanned(scan));
    const { blobs, imageScanner } = ports;
    const kernel = imageScanner?.kernel;
    const judged = (stated: typeof scan) => ({
      references,
      findings: findingsOf(stated.report),
      missing: missingOf(stated),
    });
    const stated = await withStatements(scan, manifest, { db, blobs, now, kernel });
    const repository = judged(stated);
    const differs = stated.usesRepositoryRules && Boolean(namespaceGate);
    const byOrganization = { db, blobs, now, kernel, rulesOf: "organization" } as const;
    const organization = differs ? judged(await withStatements(scan, manifest, byOrganization)) : repository;
    return { isFinal: true, seenBy: { organization, repository } };
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === "downstream_issue")) throw error;
    return unknown("the scanner cannot be reached at the moment");
  }
}

function notScanned({ status, reason }: { readonly status: string; readonly reason?: string }): string {
  if (status === "queued") return "the image is not scanned yet";
  return `the image could not be scanned: ${reason ?? status.replaceAll("_", " ")}`;
}
