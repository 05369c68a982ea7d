import type { Digest } from "@plimsoll/core/digest";
import type { ImageRepository } from "../../access/queries.ts";
import { lockIfThere } from "../../content/queries/blobs.ts";
import { collectManifests } from "../../lifecycle/collection/collect-manifests.ts";
import { namespaceUsage, uploadingBytes } from "../../organizations/quotas/queries/usage.ts";
import { releaseUsage } from "../../organizations/quotas/quota-notices.ts";
import { findUsageLimits, QuotaExceeded, rejectedFrom } from "../../organizations/quotas/usage-limits.ts";
import { findManifestId } from "../../push/queries/manifests.ts";
import { warningOfRefusal } from "../../push/quota-gate.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { countMissingBytes, findOldestPull, type PullRow, removePull } from "./queries/arriving.ts";
import { deleteTag, listFreed, releaseManifests, unlinkFreed } from "./queries/proxy-caches.ts";

/** An image to fetch. */
export interface RoomFor {
  readonly repository: ImageRepository;
  readonly digest: Digest;
  readonly parts: readonly { readonly digest: Digest; readonly sizeBytes: number }[];
}

/**
 * Makes room for an image within the quota of its namespace. Evicts the images that were pulled the longest time ago; they cannot be
 * restored.
 * @throws ContentError `quota_exceeded` if the image alone exceeds the quota, or nothing is left to evict
 */
export async function makeRoom(deps: ProxyDeps, room: RoomFor): Promise<void> {
  const { store, settings, clock } = deps;
  const { repository, digest, parts } = room;
  const { namespace_id: namespaceId } = repository;
  const limits = (await findUsageLimits(store.db, settings, namespaceId)).filter(({ type }) => type === "Reject");
  if (limits.length === 0) return;
  const least = rejectedFrom(limits);
  const wholeBytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const added = () => countMissingBytes(store.db, namespaceId, parts);
  const missing = async () =>
    (await namespaceUsage(store.db, namespaceId)) + (await uploadingBytes(store.db, namespaceId)) + (await added());
  await warningOfRefusal({ store, clock }, namespaceId, async () => {
    if (wholeBytes >= least) throw new QuotaExceeded(least, { sizeBytes: await missing(), addedBytes: await added() });
    for (let sizeBytes = await missing(); sizeBytes >= least; sizeBytes = await missing()) {
      const oldest = await findOldestPull(store.db, { namespaceId, besides: digest });
      if (oldest === undefined) throw new QuotaExceeded(least, { sizeBytes, addedBytes: await added() });
      await store.transaction((db) => evict(db, oldest, clock.now()));
    }
  });
}

/** Deletes the image that was pulled by a reference, as far as nothing else needs its manifests and blobs. */
async function evict(db: RegistryDb, pull: PullRow, now: number): Promise<void> {
  const { repository_id: repositoryId, namespace_id: namespaceId, reference } = pull;
  await removePull(db, pull);
  if ((await lockIfThere(db, repositoryId)) === undefined) return;
  const byDigest = reference.includes(":") ? await findManifestId(db, repositoryId, reference) : undefined;
  const roots = reference.includes(":") ? [byDigest?.id ?? ""] : await deleteTag(db, repositoryId, reference);
  const ids = await listFreed(db, roots);
  const digests = await releaseManifests(db, ids);
  const counted = { id: repositoryId, namespaceId };
  await collectManifests(db, counted, { ids, now });
  await releaseUsage(db, counted, await unlinkFreed(db, { repositoryId, digests, now }));
}
