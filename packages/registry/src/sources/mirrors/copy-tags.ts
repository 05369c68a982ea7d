import type { KeyObject } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { startDeadline } from "@plimsoll/outbound";
import type { ImageRepository } from "../../access/queries.ts";
import { findStoredManifest } from "../../content/queries/manifest-content.ts";
import { referrersTagOf, referrerTagsOf } from "../../content/referrer-tags.ts";
import { findSigner } from "../../content/signatures/find-signer.ts";
import type { Deps } from "../../deps.ts";
import { UpstreamLimited, type UpstreamRepository } from "../../ports/upstreams.ts";
import { type ImageIntake, IntakeRefused } from "../../push/intake-port.ts";
import { listDigestsBelow, listTagDigests } from "./queries.ts";

/** The copying of the tags of one repository. */
export interface TagCopying {
  readonly repository: ImageRepository;
  readonly upstream: UpstreamRepository;
  /** Repositories whose blobs may be linked in place of being fetched, by id. */
  readonly blobsFrom: readonly string[];
  /** How long one tag may take. */
  readonly timeoutMs: number;
  /** All tags of the other registry. */
  readonly offered: ReadonlySet<string>;
  /** The keys of which one must have signed the image of each tag; empty: unsigned images are copied too. */
  readonly signedBy: readonly KeyObject[];
  readonly signal: AbortSignal;
  /** Called for each tag that changed, and for each that could not be copied. */
  onTag(tag: string, failure: string | undefined): Promise<void>;
}

/** The result of copying tags. */
export interface CopiedTags {
  /** Tags that belong in the repository: the requested ones, and those of their signatures, attestations and bills of materials. */
  readonly kept: ReadonlySet<string>;
  readonly failed: readonly string[];
  /** Where the other registry limits the rate of requests: it was not asked for the tags after that. */
  readonly limited?: UpstreamLimited;
}

/** How many levels of referrers are followed. Two are a bill of materials of an image and its signature. */
const maxDepth = 3;

/** What the runs of mirrors need. */
export interface SyncDeps
  extends Pick<Deps, "store" | "settings" | "clock" | "secrets" | "outgoing" | "upstreams" | "pageAddress"> {
  readonly intake: ImageIntake;
}

/**
 * Copies tags one after another, each with the manifests of its index, their referrers, and the tags of their signatures. Content that the
 * repository has already is not fetched.
 */
export async function copyTags(
  context: Pick<SyncDeps, "store" | "clock" | "intake">,
  copying: TagCopying,
  names: readonly string[],
): Promise<CopiedTags> {
  const { store, clock } = context;
  const { repository, timeoutMs, offered, signedBy, signal, onTag } = copying;
  const localDigests = await listTagDigests(store.db, repository.id, clock.now());
  const mustBelong = signedBy.length > 0;
  const kept = new Set(mustBelong ? [...names].sort((a, b) => Number(isCarried(a)) - Number(isCarried(b))) : names);
  const belonging = new Set<string>();
  const failed: string[] = [];
  let limited: UpstreamLimited | undefined;
  for (const tag of kept) {
    if (mustBelong && isCarried(tag) && !belonging.has(tag)) {
      kept.delete(tag); // otherwise the tag could bring any image, unsigned
      continue;
    }
    if (limited !== undefined) {
      failed.push(tag);
      await onTag(tag, limited.message);
      continue;
    }
    const what = `copying the tag ${tag}`;
    const deadline = startDeadline(timeoutMs, what, signal);
    const one = { ...copying, signal: deadline.signal, intake: context.intake };
    try {
      const digests = await copyTag(context, one, { tag, digest: localDigests.get(tag) });
      if (localDigests.get(tag) !== digests[0]) await onTag(tag, undefined);
      for (const carried of digests.flatMap(carriedTags)) {
        if (!offered.has(carried)) continue;
        belonging.add(carried);
        kept.add(carried);
      }
    } catch (error) {
      failed.push(tag);
      if (error instanceof UpstreamLimited) limited = error;
      await onTag(
        tag,
        reasonOf(error, () => deadline.throwIfEnded(error), signal),
      );
    }
  }
  return { kept, failed, limited };
}

/** Why a tag could not be copied. An error that is not about the tag is thrown again. */
function reasonOf(error: unknown, throwIfEnded: () => void, signal: AbortSignal): string {
  signal.throwIfAborted();
  try {
    throwIfEnded();
  } catch (ended) {
    if (ended instanceof ScanError) return ended.message;
  }
  if (error instanceof ScanError || error instanceof IntakeRefused) return error.message;
  throw error;
}

type OneTag = TagCopying & { readonly intake: ImageIntake };

/** @returns the digest that the tag points to, and those of all manifests of its image */
async function copyTag(
  { store }: Pick<SyncDeps, "store">,
  copying: OneTag,
  { tag, digest }: { readonly tag: string; readonly digest: string | undefined },
): Promise<readonly string[]> {
  const { repository, upstream, signal, signedBy, intake } = copying;
  const remoteDigest = await upstream.findDigest(tag, signal);
  if (remoteDigest === undefined) throw new IntakeRefused(`the tag ${tag} is not there any more`);
  const isCurrent = remoteDigest === digest;
  const mustBeSigned = signedBy.length > 0 && !isCurrent && !isCarried(tag);
  if (mustBeSigned) await checkSignature({ upstream, digest: remoteDigest, keys: signedBy, signal });
  const digests = isCurrent
    ? await listDigestsBelow(store.db, repository.id, remoteDigest)
    : await intake.copyImage({ ...copying, reference: mustBeSigned ? remoteDigest : tag, tags: [tag] }); // by digest, since the tag may have moved
  const root = isCurrent ? remoteDigest : digests[0];
  for (const each of digests) await copyReferrers(store, copying, { subject: each as Digest, depth: 1 });
  return [root ?? remoteDigest, ...digests];
}

/** Copies the manifests that refer to another: signatures, attestations, bills of materials. */
async function copyReferrers(
  store: SyncDeps["store"],
  copying: OneTag,
  { subject, depth }: { readonly subject: Digest; readonly depth: number },
): Promise<void> {
  if (depth > maxDepth) return;
  const { upstream, repository, signal, intake } = copying;
  for (const digest of await upstream.listReferrers(subject, signal)) {
    const known = await findStoredManifest(store.db, { repositoryId: repository.id, digest });
    if (known === undefined || known.deleted_at !== null)
      await intake.copyImage({ ...copying, reference: digest, tags: [] });
    await copyReferrers(store, copying, { subject: digest, depth: depth + 1 });
  }
}

/**
 * The tags that belong to a manifest: those of cosign's signatures, attestations and bills of materials, and the one of the referrers
 * tag schema.
 */
function carriedTags(digest: string): readonly string[] {
  return [referrersTagOf(digest), ...referrerTagsOf(digest)];
}

/** Whether a tag belongs to a manifest, and not to users. */
function isCarried(tag: string): boolean {
  return /^sha(256|512)-[0-9a-f]{64,121}(\.(sig|att|sbom))?$/.test(tag);
}

/** An image of another registry whose signature is checked. */
interface CheckedImage {
  readonly upstream: UpstreamRepository;
  /** The digest of the manifest or index to which a tag points. */
  readonly digest: Digest;
  /** One of them must have signed. */
  readonly keys: readonly KeyObject[];
  readonly signal: AbortSignal;
}

/** Checks that one of the keys has signed an image. @throws IntakeRefused if none has; ScanError if the other registry fails */
export async function checkSignature({ upstream: source, digest, keys, signal }: CheckedImage): Promise<void> {
  if ((await findSigner({ source, digest, keys, signal })) !== undefined) return;
  throw new IntakeRefused("no key of the setting mirrorSignatureKeys has signed the image");
}
