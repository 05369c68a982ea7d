import { type RawBuilder, sql } from "kysely";
import type { RegistryDb } from "../store/tables/all.ts";
import type { Collected } from "./collected.ts";
import { endSiblingsOfExpired } from "./end-siblings-of-expired.ts";
import { graceMs } from "./grace.ts";
import { withdrawQuotaNotices } from "./quota-notices.ts";
import { type CountedRepository, subtractUsage } from "./usage.ts";

/** A repository that is collected. */
export interface CollectedRepository extends CountedRepository {
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
 * Ends signatures whose image has expired, and takes from a repository what nothing refers to: tags that cannot be restored any
 * more, then manifests without tag, index and subject until there are none, then what it was given of blobs that no manifest
 * has. Belongs into a transaction that has locked the repository: whoever pushes meanwhile waits, or was there before and has made
 * it refer to something.
 */
export async function collectRepository(
  db: RegistryDb,
  repository: CollectedRepository,
  now: number,
): Promise<readonly Collected[]> {
  const { id: repositoryId } = repository;
  const siblings = await endSiblings(db, repositoryId, now);
  const tags = await deleteEndedTags(db, repository, now);
  const manifests: Collected[] = [];
  for (;;) {
    const loose = await findLooseManifests(db, repositoryId, now);
    if (loose.length === 0) break;
    await deleteManifests(db, repository, loose);
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
  return [...siblings, ...tags, ...manifests, ...(await deleteLooseLinks(db, repositoryId, now))];
}

/** Takes manifests of a repository away, with what hangs on them, and what counted for them. */
export async function deleteManifests(
  db: RegistryDb,
  repository: CountedRepository,
  manifests: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of manifests) {
    const blobs = await db.selectFrom("manifest_blob").select("digest").where("manifest_id", "=", id).execute();
    const digests = blobs.map(({ digest }) => digest);
    const shrunkTo = await subtractUsage(db, repository, digests);
    if (shrunkTo !== undefined) await withdrawQuotaNotices(db, repository.namespaceId, shrunkTo);
    await db.deleteFrom("image_manifest").where("id", "=", id).execute();
  }
}

/**
 * Whether the repository of a query, in which `image_repository` and `account` are tables, may have something to collect that it
 * had not at an earlier instant. Each part is one look into an index.
 */
export function mayHaveGarbage({ since, now }: { readonly since: number; readonly now: number }): RawBuilder<0 | 1> {
  return sql`case when exists (select 1 from tag where tag.repository_id = image_repository.id and tag.end_at is not null
      and tag.end_at <= ${now} - account.tag_expiration_s * 1000)
    or exists (select 1 from tag where tag.repository_id = image_repository.id
      and tag.end_at between ${since} and ${now})
    or exists (select 1 from image_manifest where image_manifest.repository_id = image_repository.id
      and image_manifest.kept_until between ${since} and ${now})
    or exists (select 1 from image_manifest where image_manifest.repository_id = image_repository.id
      and image_manifest.deleted_at is not null)
    or exists (select 1 from repository_blob where repository_blob.repository_id = image_repository.id
      and repository_blob.manifests = 0
      and repository_blob.linked_at between ${since - graceMs.links} and ${now - graceMs.links})
    then 1 else 0 end`;
}

async function endSiblings(db: RegistryDb, repositoryId: string, now: number): Promise<readonly Collected[]> {
  const ended = await endSiblingsOfExpired(db, { repositoryId, now });
  const why = "its image has no tag any more: it ends with the image's last tag";
  return ended.map((what) => ({ kind: "tag", repositoryId, what, why, sizeBytes: 0 }));
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
    .where("manifests", "=", sql.lit(0)) // as the index of those that are loose says it
    .where("linked_at", "<=", now - graceMs.links)
    .returning("digest")
    .execute();
  const why = "no manifest of the repository has the blob";
  return deleted.map(({ digest }) => ({ kind: "link", repositoryId, what: digest, why, sizeBytes: 0 }));
}
