import { graceMs } from "../content/lifetimes.ts";
import { countManifests } from "../content/queries/blobs.ts";
import { forgetUsage } from "../quotas/quota-notices.ts";
import type { CountedRepository } from "../quotas/usage.ts";
import { noteCollectedImages } from "../security/forget-reports.ts";
import { inChunks } from "../store/bounded-reads.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { Collected } from "./collected.ts";

/** A manifest that goes. */
interface LooseManifest {
  readonly id: string;
  readonly digest: string;
  readonly size_bytes: number;
}

/** Some manifests of a repository. */
type Candidates =
  | { readonly ids: readonly string[] }
  /** Those with digests after one, up to another. */
  | { readonly after: string; readonly last: string };

/**
 * Takes those of some manifests that nothing refers to, then what only they referred to, until there is none, then what the
 * repository was given of blobs that only they had. Belongs into a transaction that has locked the repository: after it nothing
 * is left that could be taken because of what it took.
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
    const loose = await findLooseManifests(db, repository.id, { ids: candidates }, now);
    candidates = await listReferred(db, repository.id, loose);
    for (const digest of await deleteManifests(db, repository, loose)) blobs.add(digest);
    manifests.push(...loose);
  }
  const links = await deleteLooseLinks(db, repository, [...blobs], now);
  return [...manifests.map((manifest) => collectedManifest(repository.id, manifest)), ...links];
}

/** Takes manifests of a repository away, with what hangs on them. @returns the blobs that they had */
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
  for (const { id } of manifests) {
    const blobs = await db.selectFrom("manifest_blob").select("digest").where("manifest_id", "=", id).execute();
    const digests = blobs.map(({ digest }) => digest);
    await countManifests(db, repository.id, digests, -1);
    await db.deleteFrom("image_manifest").where("id", "=", id).execute();
    had.push(...digests);
  }
  return had;
}

/** Of some manifests those that nothing refers to. A referrer stays as long as its subject is there, unless it was deleted itself. */
export async function findLooseManifests(
  db: RegistryDb,
  repositoryId: string,
  candidates: Candidates,
  now: number,
): Promise<readonly LooseManifest[]> {
  if (!("ids" in candidates)) {
    const { after, last } = candidates;
    return looseManifests(db, now)
      .where("manifest.repository_id", "=", repositoryId)
      .where("manifest.digest", ">", after)
      .where("manifest.digest", "<=", last)
      .orderBy("manifest.digest")
      .execute();
  }
  const loose: LooseManifest[] = [];
  for (const some of inChunks(candidates.ids)) {
    // Neither by repository nor in an order: either would have SQLite go through all manifests of the repository instead.
    const found = await looseManifests(db, now).where("manifest.id", "in", some).execute();
    loose.push(...found.filter(({ repository_id }) => repository_id === repositoryId));
  }
  return loose.sort((a, b) => (a.digest < b.digest ? -1 : 1));
}

/** Takes from a repository what it was given of some blobs long enough ago, where no manifest of it has them: they count no longer. */
export async function deleteLooseLinks(
  db: RegistryDb,
  repository: CountedRepository,
  digests: readonly string[],
  now: number,
): Promise<readonly Collected[]> {
  const { id: repositoryId } = repository;
  const deleted: Collected[] = [];
  for (const some of inChunks(digests)) {
    const rows = await db
      .deleteFrom("repository_blob")
      .where("repository_id", "=", repositoryId)
      .where("digest", "in", some)
      .where("manifests", "=", 0)
      .where("linked_at", "<=", now - graceMs.links)
      .returning("digest")
      .execute();
    await forgetUsage(
      db,
      repository,
      rows.map(({ digest }) => digest),
    );
    const why = "no manifest of the repository has the blob";
    deleted.push(...rows.map(({ digest: what }) => ({ kind: "link" as const, repositoryId, what, why, sizeBytes: 0 })));
  }
  return deleted;
}

function looseManifests(db: RegistryDb, now: number) {
  return db
    .selectFrom("image_manifest as manifest")
    .select(["manifest.id", "manifest.repository_id", "manifest.digest", "manifest.size_bytes"])
    .where(({ or, eb }) => or([eb("manifest.kept_until", "<=", now), eb("manifest.deleted_at", "is not", null)]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("tag").select("tag.id").whereRef("tag.manifest_id", "=", "manifest.id"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("manifest_child").select("child_id").whereRef("manifest_child.child_id", "=", "manifest.id")),
      ),
    )
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb("manifest.subject", "is", null),
        eb("manifest.deleted_at", "is not", null),
        not(
          exists(
            selectFrom("image_manifest as subject")
              .select("subject.id")
              .whereRef("subject.repository_id", "=", "manifest.repository_id")
              .whereRef("subject.digest", "=", "manifest.subject"),
          ),
        ),
      ]),
    );
}

/** What some manifests keep: those in their lists, and those of which they are the subject. */
async function listReferred(
  db: RegistryDb,
  repositoryId: string,
  manifests: readonly LooseManifest[],
): Promise<readonly string[]> {
  const referred = new Set<string>();
  for (const some of inChunks(manifests)) {
    const ids = some.map(({ id }) => id);
    const children = await db
      .selectFrom("manifest_child")
      .select("child_id as id")
      .where("manifest_id", "in", ids)
      .execute();
    const digests = some.map(({ digest }) => digest);
    const referrers = await db
      .selectFrom("image_manifest")
      .select("id")
      .where("repository_id", "=", repositoryId)
      .where("subject", "in", digests)
      .execute();
    for (const { id } of [...children, ...referrers]) referred.add(id);
  }
  for (const { id } of manifests) referred.delete(id);
  return [...referred];
}

function collectedManifest(repositoryId: string, { digest, size_bytes }: LooseManifest): Collected {
  const why = "no tag, index or subject refers to it";
  return { kind: "manifest", repositoryId, what: digest, why, sizeBytes: size_bytes };
}
