import { graceMs } from "../../content/lifetimes.ts";
import { countManifests } from "../../content/queries/blobs.ts";
import type { CountedRepository } from "../../organizations/quotas/queries/usage.ts";
import { releaseMetadata, releaseUsage } from "../../organizations/quotas/quota-notices.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { Collected } from "./collection.ts";
import {
  deleteOldLinks,
  findLooseManifests,
  type LooseManifest,
  listBlobsOf,
  listReferred,
  metadataBytesOf,
  noteCollectedImages,
  removeManifest,
} from "./queries/manifests.ts";

/**
 * Removes the given manifests that nothing refers to, then the manifests that only they referred to, until there are none, and then
 * the links to blobs that only they had. Must run in a transaction that has locked the repository. No garbage caused by this removal
 * is left.
 */
export async function collectManifests(
  db: RegistryDb,
  repository: CountedRepository,
  { ids, now }: { readonly ids: readonly string[]; readonly now: number },
): Promise<readonly Collected[]> {
  const manifests: LooseManifest[] = [];
  const blobs = new Set<string>();
  let candidates = ids;
  while (candidates.length > 0) {
    const loose = await findLooseManifests(db, repository.id, { candidates: { ids: candidates }, now });
    candidates = await listReferred(db, repository.id, loose);
    for (const digest of await deleteManifests(db, repository, loose)) blobs.add(digest);
    manifests.push(...loose);
  }
  const links = await deleteLooseLinks(db, repository, { digests: [...blobs], now });
  return [...manifests.map((manifest) => collectedManifest(repository.id, manifest)), ...links];
}

/** Deletes manifests of a repository, with their rows in other tables. @returns the blobs that they had */
export async function deleteManifests(
  db: RegistryDb,
  repository: CountedRepository,
  manifests: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const had: string[] = [];
  await noteCollectedImages(
    db,
    manifests.map(({ id }) => id),
  );
  await releaseMetadata(db, repository, await metadataBytesOf(db, manifests));
  for (const { id } of manifests) {
    const blobs = await listBlobsOf(db, id);
    const digests = blobs.map(({ digest }) => digest);
    await countManifests(db, repository.id, { digests, step: -1 });
    await removeManifest(db, id);
    had.push(...digests);
  }
  return had;
}

/**
 * Unlinks the given blobs that were linked long enough ago and that no manifest of the repository has. They no longer count for
 * its usage.
 */
export async function deleteLooseLinks(
  db: RegistryDb,
  repository: CountedRepository,
  { digests, now }: { readonly digests: readonly string[]; readonly now: number },
): Promise<readonly Collected[]> {
  const { id: repositoryId } = repository;
  const deleted: Collected[] = [];
  for (const some of inChunks(digests)) {
    const rows = await deleteOldLinks(db, repositoryId, { digests: some, until: now - graceMs.links });
    await releaseUsage(
      db,
      repository,
      rows.map(({ digest }) => digest),
    );
    const why = "no manifest of the repository has the blob";
    deleted.push(...rows.map(({ digest: what }) => ({ kind: "link" as const, repositoryId, what, why, sizeBytes: 0 })));
  }
  return deleted;
}

function collectedManifest(repositoryId: string, { digest, size_bytes }: LooseManifest): Collected {
  const why = "no tag, index or subject refers to it";
  return { kind: "manifest", repositoryId, what: digest, why, sizeBytes: size_bytes };
}
