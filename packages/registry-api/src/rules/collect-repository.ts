import type { RegistryDb } from "../store/tables/all.ts";
import type { Collected } from "./collected.ts";
import { graceMs } from "./grace.ts";
import { subtractUsage } from "./usage.ts";

/** A repository that is collected. */
export interface CollectedRepository {
  readonly id: string;
  readonly namespaceId: string;
  /** How long removed tags can be restored. */
  readonly windowMs: number;
}

/** A manifest that goes. */
interface LooseManifest {
  readonly id: string;
  readonly digest: string;
  readonly size_bytes: number;
}

/**
 * Takes from a repository what nothing refers to: tags that cannot be restored any more, then manifests without tag, index and
 * subject until there are none, then what it was given of blobs that no manifest has. Belongs into a transaction that has locked
 * the repository: whoever pushes meanwhile waits, or was there before and has made it refer to something.
 */
export async function collectRepository(
  db: RegistryDb,
  repository: CollectedRepository,
  now: number,
): Promise<readonly Collected[]> {
  const { id: repositoryId } = repository;
  const tags = await deleteEndedTags(db, repository, now);
  const manifests: Collected[] = [];
  for (;;) {
    const loose = await findLooseManifests(db, repositoryId, now);
    if (loose.length === 0) break;
    await deleteManifests(db, repository.namespaceId, loose);
    manifests.push(
      ...loose.map(({ digest, size_bytes }) => ({
        kind: "manifest" as const,
        repositoryId,
        what: digest,
        why: "no tag, index or subject refers to it",
        sizeBytes: size_bytes,
      })),
    );
  }
  return [...tags, ...manifests, ...(await deleteLooseLinks(db, repositoryId, now))];
}

/** Takes manifests away, with what hangs on them, and from the usage of their namespace. */
export async function deleteManifests(
  db: RegistryDb,
  namespaceId: string,
  manifests: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of manifests) {
    const blobs = await db.selectFrom("manifest_blob").select("digest").where("manifest_id", "=", id).execute();
    const digests = blobs.map(({ digest }) => digest);
    if (digests.length > 0) await subtractUsage(db, namespaceId, digests);
    await db.deleteFrom("image_manifest").where("id", "=", id).execute();
  }
}

/** Whether there may be something to collect that was not there at an earlier instant. */
export async function mayHaveGarbage(
  db: RegistryDb,
  { id, windowMs }: CollectedRepository,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<boolean> {
  const tag = await endedTags(db, id, now - windowMs)
    .limit(1)
    .executeTakeFirst();
  if (tag !== undefined) return true;
  const manifest = await db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", id)
    .where("kept_until", ">=", since)
    .where("kept_until", "<=", now)
    .limit(1)
    .executeTakeFirst();
  if (manifest !== undefined) return true;
  const deleted = await db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", id)
    .where("deleted_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  if (deleted !== undefined) return true;
  const link = await db
    .selectFrom("repository_blob")
    .select("digest")
    .where("repository_id", "=", id)
    .where("linked_at", ">=", since - graceMs.links)
    .where("linked_at", "<=", now - graceMs.links)
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

function endedTags(db: RegistryDb, repositoryId: string, before: number) {
  return db
    .selectFrom("tag")
    .select(["id", "name"])
    .where("repository_id", "=", repositoryId)
    .where("end_at", "is not", null)
    .where("end_at", "<=", before);
}

async function deleteEndedTags(
  db: RegistryDb,
  { id, windowMs }: CollectedRepository,
  now: number,
): Promise<readonly Collected[]> {
  const deleted = await db
    .deleteFrom("tag")
    .where("repository_id", "=", id)
    .where("end_at", "is not", null)
    .where("end_at", "<=", now - windowMs)
    .returning("name")
    .execute();
  const why = "it has ended and cannot be restored any more";
  return deleted.map(({ name }) => ({ kind: "tag", repositoryId: id, what: name, why, sizeBytes: 0 }));
}

/** A referrer stays as long as its subject is there, unless it was deleted itself. */
async function findLooseManifests(
  db: RegistryDb,
  repositoryId: string,
  now: number,
): Promise<readonly LooseManifest[]> {
  return db
    .selectFrom("image_manifest as manifest")
    .select(["manifest.id", "manifest.digest", "manifest.size_bytes"])
    .where("manifest.repository_id", "=", repositoryId)
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
    )
    .execute();
}

async function deleteLooseLinks(db: RegistryDb, repositoryId: string, now: number): Promise<readonly Collected[]> {
  const deleted = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("linked_at", "<=", now - graceMs.links)
    .where("digest", "not in", ({ selectFrom }) =>
      selectFrom("manifest_blob")
        .innerJoin("image_manifest", "image_manifest.id", "manifest_blob.manifest_id")
        .select("manifest_blob.digest")
        .where("image_manifest.repository_id", "=", repositoryId),
    )
    .returning("digest")
    .execute();
  const why = "no manifest of the repository has the blob";
  return deleted.map(({ digest }) => ({ kind: "link", repositoryId, what: digest, why, sizeBytes: 0 }));
}
