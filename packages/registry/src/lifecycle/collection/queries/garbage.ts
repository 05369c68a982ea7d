import { type RawBuilder, sql } from "kysely";
import { graceMs } from "../../../content/lifetimes.ts";
import type { CountedRepository } from "../../../organizations/quotas/queries/usage.ts";
import { readLength } from "../../../store/bounded-reads.ts";
import { findFact, putFact } from "../../../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../../../store/tables/all.ts";

/** A repository whose garbage is collected. */
export interface CollectedRepository extends CountedRepository {
  /** How long removed tags can be restored. */
  readonly windowMs: number;
}

/** How many rows one step begins with. */
const pageLength = 100;

/** A page of the ids of tags that ended until an instant. */
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

/** A page of the blobs that a repository has had for long enough without a manifest that refers to them. */
export async function findLooseLinks(db: RegistryDb, repositoryId: string, now: number): Promise<readonly string[]> {
  const links = await db
    .selectFrom("repository_blob")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("manifests", "=", sql.lit(0)) // a literal, so that the partial index is used
    .where("linked_at", "<=", now - graceMs.links)
    .orderBy("linked_at")
    .limit(pageLength)
    .execute();
  return links.map(({ digest }) => digest);
}

/** Deletes the given tags that ended until an instant, and returns them. */
export function deleteEndedTags(db: RegistryDb, tags: readonly string[], until: number) {
  return db
    .deleteFrom("tag")
    .where("id", "in", tags)
    .where("end_at", "<=", until)
    .returning(["name", "manifest_id"])
    .execute();
}

/** A page of the digests of a repository's manifests, in order. */
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

/** How many repositories are read at once. */
const repositoriesAtOnce = 200;

/** A page of repositories, ordered by id, and whether each may have garbage. */
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

/**
 * Whether the repository of the outer query may have garbage that it did not have at the instant `since`. The query must have the tables
 * `image_repository` and `account`. Each condition is one look-up in an index.
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

/** A page of the ids of deleted repositories, in order. */
export function listDeletedRepositories(db: RegistryDb, after: string) {
  return db
    .selectFrom("image_repository")
    .select("id")
    .where("state", "=", sql.lit("deleted")) // a literal, so that the partial index is used
    .where("id", ">", after)
    .orderBy("id")
    .limit(readLength)
    .execute();
}

/** The deleted namespaces, ordered by name. */
export function listRetired(db: RegistryDb) {
  return db.selectFrom("retired_namespace").select(["account_id"]).orderBy("name").execute();
}

/** A page of the blobs of a repository, ordered by digest. */
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

/** Figures of the registry, for its operators. */
export interface RegistryFigures {
  /** The stored blobs, counted by the last collection; absent before the first. */
  readonly stored?: StoredBlobs;
  /** Unfinished uploads, and their bytes so far. */
  readonly uploads: number;
  readonly uploadBytes: number;
  /** Images that wait for their scan. */
  readonly queuedScans: number;
  /** Blobs of repositories that are known to be missing or damaged. */
  readonly damagedBlobs: number;
  /** Epoch milliseconds: the beginning of the last finished collection; absent before the first. */
  readonly collectedAt?: number;
}

/** Counts the blobs of repositories that are known to be missing or damaged. */
async function countDamagedBlobs(db: RegistryDb): Promise<number> {
  const { blobs } = await db
    .selectFrom("blob")
    .select(({ fn }) => fn.countAll<number>().as("blobs"))
    .where("damaged_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(blobs);
}

/** The blobs of a store. */
export interface StoredBlobs {
  readonly blobs: number;
  readonly bytes: number;
}

/** The fact with the beginning of the last finished collection. */
export const lastCollection = "last-collection-at";

const storedBlobs = "stored-blobs";

/** Stores the figures of a collection that has counted every blob. */
export async function putStoredBlobs(db: RegistryDb, stored: StoredBlobs): Promise<void> {
  await putFact(db, storedBlobs, JSON.stringify(stored));
}

/**
 * Reads the stored figures, and counts uploads and scans in progress. Finished blobs are not counted again.
 * @example
 * declare const store: RegistryStore;
 * const { stored, uploads } = await readRegistryFigures(store);
 * console.log(`${stored?.bytes ?? 0} bytes, and ${uploads} uploads under way`);
 */
export async function readRegistryFigures({ db }: RegistryStore): Promise<RegistryFigures> {
  const [stored, collectedAt] = [await findFact(db, storedBlobs), await findFact(db, lastCollection)];
  const { uploads, bytes } = await db
    .selectFrom("upload")
    .select(({ fn }) => [fn.countAll<number>().as("uploads"), fn.sum<number | null>("received_bytes").as("bytes")])
    .executeTakeFirstOrThrow();
  const { scans } = await db
    .selectFrom("manifest_scan")
    .select(({ fn }) => fn.countAll<number>().as("scans"))
    .where("state", "=", sql.lit("queued")) // a literal, so that the partial index is used
    .executeTakeFirstOrThrow();
  return {
    stored: stored === undefined ? undefined : (JSON.parse(stored) as StoredBlobs),
    uploads: Number(uploads),
    uploadBytes: Number(bytes ?? 0),
    queuedScans: Number(scans),
    damagedBlobs: await countDamagedBlobs(db),
    collectedAt: collectedAt === undefined ? undefined : Number(collectedAt),
  };
}
