import { ifWritable } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries.ts";
import { graceMs } from "../content/lifetimes.ts";
import { type LinkedBlob, lockIfThere } from "../content/queries/blobs.ts";
import { ContentError } from "../content-error.ts";
import { deleteOldLinks } from "../lifecycle/collection/queries/manifests.ts";
import { releaseUsage } from "../organizations/quotas/quota-notices.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deletePausedUploads, listUnfinished, renewBlobLink } from "./queries/parts.ts";

/** A blob of a repository that a client has checked before a push. */
export interface CheckedBlob {
  readonly repository: ImageRepository;
  readonly blob: LinkedBlob;
  readonly now: number;
}

/** Whether the link of a blob is old enough to be renewed. */
export function isLinkOld({ blob, now }: Omit<CheckedBlob, "repository">): boolean {
  const untilMs = blob.manifests === 0 ? pauseMs.links / 3 : graceMs.links / 2; // without a manifest it may give way to others
  return now - blob.linked_at >= untilMs;
}

/**
 * Renews the link of a blob. A client does not send a blob that exists, so the blob must not be collected before the manifest arrives.
 * @throws ContentError `blob_unknown` if the repository no longer has the blob
 */
export async function renewLink(db: RegistryDb, checked: CheckedBlob): Promise<void> {
  await ifWritable(async () => {
    if (await renewBlobLink(db, checked)) return;
    throw new ContentError("blob_unknown", "blob unknown to registry", { detail: { digest: checked.blob.digest } });
  });
}

/** How long pushes may pause before their bytes give way to others: milliseconds. */
const pauseMs = { links: 15 * 60_000, uploads: 3_600_000 } as const;

/**
 * Frees bytes of a namespace that belong to no image: blobs that no manifest of their repository has, and uploads in progress, of pushes
 * that have paused for a while or, for blobs, of images that were deleted. Otherwise the remains of a push that failed over the quota would count against the next one for a day.
 * The files of the uploads are removed by the next collection.
 * @returns whether something was freed
 */
export async function giveWay(
  store: RegistryStore,
  { namespaceId, now }: { readonly namespaceId: string; readonly now: number },
): Promise<boolean> {
  const until = now - pauseMs.links;
  let isFreed = (await deletePausedUploads(store.db, namespaceId, now - pauseMs.uploads)) > 0;
  for (const [repositoryId, digests] of await listUnfinished(store.db, { namespaceId, now, pauseMs: pauseMs.links })) {
    const freed = await store.transaction(async (db) => {
      if ((await lockIfThere(db, repositoryId)) === undefined) return 0;
      const rows = await deleteOldLinks(db, repositoryId, { digests, until });
      const unlinked = rows.map(({ digest }) => digest);
      await releaseUsage(db, { id: repositoryId, namespaceId }, unlinked);
      return unlinked.length;
    });
    isFreed ||= freed > 0;
  }
  return isFreed;
}
