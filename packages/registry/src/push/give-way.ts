import { lockIfThere } from "../content/queries/blobs.ts";
import { deleteOldLinks } from "../lifecycle/collection/queries/manifests.ts";
import { releaseUsage } from "../organizations/quotas/quota-notices.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { deletePausedUploads, listUnfinished } from "./queries/parts.ts";

/** How long pushes may pause before their bytes give way to others: milliseconds. */
export const pauseMs = { links: 15 * 60_000, uploads: 3_600_000 } as const;

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
