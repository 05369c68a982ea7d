import { type RawBuilder, sql } from "kysely";
import { graceMs } from "../../content/lifetimes.ts";
import type { CountedRepository } from "../../quotas/queries/usage.ts";
import { readLength } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A repository that is collected. */
export interface CollectedRepository extends CountedRepository {
  /** How long removed tags can be restored. */
  readonly windowMs: number;
}

/** How much one step begins with. */
const pageLength = 100;

/**
 * Whether the repository of a query, in which `image_repository` and `account` are tables, may have something to collect that it
 * had not at an earlier instant. Each part is one look into an index.
 */
function mayHaveGarbage({ since, now }: { readonly since: number; readonly now: number }): RawBuilder<0 | 1> {
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

/** The ids of some tags that ended until an instant. */
export async function findEndedTags(db: RegistryDb, repositoryId: string, until: number): Promise<readonly string[]> {
  const tags = await db
    .selectFrom("tag")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("end_at", "is not", null)
    .where("end_at", "<=", until)
    .orderBy("end_at")
    .limit(pageLength)
    .execute();
  return tags.map(({ id }) => id);
}

/** Some blobs that a repository has for long enough without a manifest that has them. */
export async function findLooseLinks(db: RegistryDb, repositoryId: string, now: number): Promise<readonly string[]> {
  const links = await db
    .selectFrom("repository_blob")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("manifests", "=", sql.lit(0)) // as the index of those that are loose says it
    .where("linked_at", "<=", now - graceMs.links)
    .orderBy("linked_at")
    .limit(pageLength)
    .execute();
  return links.map(({ digest }) => digest);
}

/** Deletes those of some tags that ended until an instant, and gives them. */
export function deleteEndedTags(db: RegistryDb, tags: readonly string[], until: number) {
  return db
    .deleteFrom("tag")
    .where("id", "in", tags)
    .where("end_at", "<=", until)
    .returning(["name", "manifest_id"])
    .execute();
}

/** The digests of some manifests of a repository, in order. */
export function listDigestsAfter(db: RegistryDb, repositoryId: string, after: string) {
  return db
    .selectFrom("image_manifest")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(pageLength)
    .execute();
}

/** How many repositories are read at a time. */
const repositoriesAtOnce = 200;

/** Some repositories, by their ids, and whether there may be garbage in them. */
export function listRepositoriesAfter(
  db: RegistryDb,
  options: { readonly now: number; readonly since: number },
  after: string,
) {
  const { since } = options;
  const flag = since === 0 ? sql<0 | 1>`1` : mayHaveGarbage(options);
  return db
    .selectFrom("image_repository")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["image_repository.id", "account.id as namespaceId", "account.tag_expiration_s"])
    .select(flag.as("isCollectable"))
    .where("image_repository.state", "!=", "deleted")
    .where("image_repository.id", ">", after)
    .orderBy("image_repository.id")
    .limit(repositoriesAtOnce)
    .execute();
}

/** The ids of some deleted repositories, in order. */
export function listDeletedRepositories(db: RegistryDb, after: string) {
  return db
    .selectFrom("image_repository")
    .select("id")
    .where("state", "=", sql.lit("deleted")) // as their index says it
    .where("id", ">", after)
    .orderBy("id")
    .limit(readLength)
    .execute();
}

/** The namespaces that were deleted, by name. */
export function listRetired(db: RegistryDb) {
  return db.selectFrom("retired_namespace").select(["account_id"]).orderBy("name").execute();
}

/** Some blobs that a repository has, in order. */
export function listLinks(db: RegistryDb, repositoryId: string, after: string) {
  return db
    .selectFrom("repository_blob")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(readLength)
    .execute();
}
