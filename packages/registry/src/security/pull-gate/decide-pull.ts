import type { ImageRepository } from "../../access/queries.ts";
import type { ImageManifestRow } from "../../content/queries/manifest-content.ts";
import { type AskingDeps, askElsewhere } from "../ask-elsewhere.ts";
import type { SecurityDeps } from "../image-security.ts";
import type { StatedDocument } from "../stated-scan.ts";
import { applicableExceptions } from "./applicable-exceptions.ts";
import { findKind } from "./find-kind.ts";
import { type GateOwner, type GateRules, gateOwners, parseGate } from "./gate.ts";
import { type GatedImage, readGatedImage, unknownImage } from "./gated-image.ts";
import { type AppliedGate, type GateVerdict, judgeImage } from "./judge-image.ts";

/** A document that has let findings pass a gate, and by whose right: the name of an account or a key. */
export interface CountingDocument {
  readonly document: string;
  readonly by: string;
}

/** A document that would let findings pass a gate if it counted, and why it does not count. */
export interface IgnoredDocument {
  readonly document: string;
  readonly reason: string;
}

/** The verdict of one gate on a pull. */
export interface GateOpinion extends GateVerdict {
  /** The owner of the gate. */
  readonly owner: GateOwner;
  /** The rules of the gate. */
  readonly rules: GateRules;
  /** Whether the pull would be refused if the gate were enforced. */
  readonly denies: boolean;
  readonly isEnforced: boolean;
  readonly statements: readonly CountingDocument[];
  readonly ignoredStatements: readonly IgnoredDocument[];
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
 * pulled itself. Artifacts such as signatures pass too, since no runtime can start them ({@link findKind}).
 */
export async function decidePull(
  deps: AskingDeps,
  { repository, manifest }: { readonly repository: ImageRepository; readonly manifest: ImageManifestRow },
  signal: AbortSignal,
): Promise<PullDecision> {
  if (manifest.is_index === 1 || (await findKind(deps, manifest)) === "artifact")
    return { opinions: [], until: Number.POSITIVE_INFINITY };
  const elsewhere = await askElsewhere(deps, { kind: "decision", repository, manifest }, signal);
  return elsewhere === undefined
    ? decideHere(deps, { repository, manifest }, signal)
    : revived(elsewhere.parse() as PullDecision);
}

/** JSON has no infinity. */
function revived({ opinions, until }: PullDecision): PullDecision {
  const endless = Number.POSITIVE_INFINITY;
  return { opinions: opinions.map((each) => ({ ...each, until: each.until ?? endless })), until: until ?? endless };
}

/** As {@link decidePull}, about an image of any size in this thread. */
export async function decideHere(
  deps: SecurityDeps,
  { repository, manifest }: { readonly repository: ImageRepository; readonly manifest: ImageManifestRow },
  signal: AbortSignal,
): Promise<PullDecision> {
  const { now } = deps;
  const image = await readGatedImage(deps, { repository, manifest }, signal);
  const opinions = await opinionsOf(repository, image, now);
  const longest = image.isFinal ? now + decisionMs : now;
  return { opinions, until: Math.min(longest, ...opinions.map(({ until }) => until)) };
}

/** Decides about an image that is still being fetched from another registry. Without a scan, it is pending. */
export async function decideArriving(repository: ImageRepository, digest: string, now: number): Promise<PullDecision> {
  const references = [`${repository.namespace}/${repository.name}@${digest}`];
  const image = unknownImage(references, "the image is still being brought in");
  return { opinions: await opinionsOf(repository, image, now), until: now };
}

/** The verdict of each gate of a repository on an image. */
export async function opinionsOf(
  repository: ImageRepository,
  image: GatedImage,
  now: number,
): Promise<readonly GateOpinion[]> {
  const gates = { organization: repository.namespaceGate, repository: repository.repositoryGate };
  const opinions: GateOpinion[] = [];
  for (const owner of gateOwners) {
    const json = gates[owner];
    if (!json) continue;
    const gate = parseGate(json);
    const exceptions = await applicableExceptions(gate, image.references, now);
    opinions.push(await opinionOf({ rules: gate.rules, exceptions }, { owner, image, now }));
  }
  return opinions;
}

async function opinionOf(
  gate: AppliedGate,
  { owner, image, now }: { readonly owner: GateOwner; readonly image: GatedImage; readonly now: number },
): Promise<GateOpinion> {
  const { documents, standings } = image;
  const standing = (document: StatedDocument) => standings.get(document)?.[owner];
  const judge = async (counting: readonly StatedDocument[]) => {
    const seen = await image.see(owner, counting);
    return { ...seen, verdict: await judgeImage(gate, seen.image, now) };
  };
  const counting = documents.filter((document) => standing(document)?.counts);
  const { verdict, used } = await judge(counting);
  const statements = used.length > 0 && (await judge([])).verdict.count > verdict.count ? used : [];
  const all = verdict.count > 0 && counting.length < documents.length ? await judge(documents) : undefined;
  const ignored = all && all.verdict.count < verdict.count ? all.used.filter((each) => !counting.includes(each)) : [];
  return {
    ...verdict,
    owner,
    rules: gate.rules,
    denies: verdict.verdict === "deny" || (verdict.verdict === "pending" && gate.rules.pending === "deny"),
    isEnforced: gate.rules.mode === "enforce",
    statements: statements.flatMap((document) => {
      const found = standing(document);
      return found?.counts ? [{ document: document.digest, by: found.by }] : [];
    }),
    ignoredStatements: ignored.flatMap((document) => {
      const found = standing(document);
      return found && !found.counts ? [{ document: document.digest, reason: found.reason }] : [];
    }),
  };
}
