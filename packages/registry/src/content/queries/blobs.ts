import { isDigest } from "@plimsoll/core/digest";
import { compileOnce, oneAtATime, type Parameter, transactionLock } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { notFound } from "../../errors.ts";
import {
  type CountedBlob,
  type CountedRepository,
  countedBytes,
  usageOf,
} from "../../organizations/quotas/queries/usage.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { NewRow, RegistryDb, RegistryStore, RegistryTables } from "../../store/tables/all.ts";
import type { RepositoryState } from "../../store/tables/content.ts";

/** A blob of a repository. */
export interface LinkedBlob {
  readonly digest: string;
  readonly size_bytes: number;
  readonly linked_at: number;
  /** How many manifests of the repository have it. */
  readonly manifests: number;
}

/** Finds a blob of a repository. It does not have a blob whose content is damaged, so that clients send it again. */
export async function findLinkedBlob(
  db: RegistryDb,
  repositoryId: string,
  digest: string,
): Promise<LinkedBlob | undefined> {
  if (!isDigest(digest)) return undefined;
  const [blob] = await findLinked(db, { repositoryId, digest });
  return blob;
}

const findLinked = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; digest: string }>) =>
  linkedBlobs(db, parameter("repositoryId")).where("blob.digest", "=", parameter("digest")),
);

/** A query of those of the given blobs that a repository has, and that are not damaged. */
export function linkedBlobsOf(db: RegistryDb, repositoryId: string, digests: readonly string[]) {
  return linkedBlobs(db, repositoryId).where("blob.digest", "in", digests);
}

function linkedBlobs(db: RegistryDb, repositoryId: string | RawBuilder<string>) {
  return db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select(["blob.digest", "blob.size_bytes", "repository_blob.linked_at", "repository_blob.manifests"])
    .where("repository_blob.repository_id", "=", repositoryId)
    .where("blob.damaged_at", "is", null);
}

/** Locks a digest: until this transaction ends, no other one creates, links or removes its blob. */
export async function lockDigest(
  store: RegistryStore,
  transaction: Transaction<RegistryTables>,
  digest: string,
): Promise<void> {
  await oneAtATime(store, transaction, { name: lockName(digest) });
}

/** {@link lockDigest} as a statement to run together with others; undefined where transactions never overlap. */
export function digestLock(store: RegistryStore, db: RegistryDb, digest: string) {
  return transactionLock(store, db, lockName(digest));
}

function lockName(digest: string): string {
  return `registry.blob:${digest}`;
}

/** Changes the number of a repository's manifests that have the given blobs, by one. */
export async function countManifests(
  db: RegistryDb,
  repositoryId: string,
  { digests, step }: { readonly digests: readonly string[]; readonly step: 1 | -1 },
): Promise<void> {
  for (const some of inChunks([...new Set(digests)]))
    await countingManifests(db, repositoryId, { digests: some, step }).execute();
}

/** {@link countManifests} as one statement, for distinct digests that fit in it. */
export function countingManifests(
  db: RegistryDb,
  repositoryId: string,
  { digests, step }: { readonly digests: readonly string[]; readonly step: 1 | -1 },
) {
  return db
    .updateTable("repository_blob")
    .set(({ eb }) => ({ manifests: eb("manifests", "+", step) }))
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests);
}

/** Unlinks a blob from a repository that is locked. @returns false if a manifest of the repository needs it */
export async function unlinkBlob(db: RegistryDb, repositoryId: string, digest: string): Promise<boolean> {
  const unlinked = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("manifests", "=", 0)
    .returning("digest")
    .executeTakeFirst();
  return unlinked !== undefined;
}

/** How many removals are read at once. */
const pageLength = 500;

/** Records that the file of a blob is going to be deleted. */
export async function insertRemoval(db: RegistryDb, digest: string): Promise<void> {
  await db
    .insertInto("blob_removal")
    .values({ digest })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the file of a blob is going to be deleted. */
export async function hasRemoval(db: RegistryDb, digest: string): Promise<boolean> {
  const removal = await db.selectFrom("blob_removal").select("digest").where("digest", "=", digest).executeTakeFirst();
  return removal !== undefined;
}

/** A page of the removals that have begun, ordered by digest. */
export function listRemovals(db: RegistryDb, after: string) {
  return db
    .selectFrom("blob_removal")
    .select("digest")
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(pageLength)
    .execute();
}

/** Deletes the record of a removal after the file is deleted. */
export async function deleteRemoval(db: RegistryDb, digest: string): Promise<void> {
  await db.deleteFrom("blob_removal").where("digest", "=", digest).execute();
}

/** A blob to link to a repository. */
export interface BlobLink extends CountedBlob {
  readonly repository: CountedRepository;
  readonly now: number;
}

/**
 * Links and counts a blob in one statement. Each part depends on the result of the part before, so the rows are locked in this order.
 * A row that was inserted and not updated has no `xmax`.
 */
export async function linkInOneStatement(db: RegistryDb, { repository, digest, sizeBytes, now }: BlobLink) {
  const { id, namespaceId } = repository;
  const { rows } = await sql<{ readonly size_bytes: number; readonly metadata_bytes: number }>`
    with entered as (
      insert into blob (digest, size_bytes, created_at) values (${digest}, ${sizeBytes}, ${now})
      on conflict (digest) do update set fault = null, damaged_at = null where blob.damaged_at is not null),
    linked as (
      insert into repository_blob (repository_id, digest, linked_at, manifests) values (${id}, ${digest}, ${now}, 0)
      on conflict (repository_id, digest) do update set linked_at = excluded.linked_at
      returning xmax = 0 as is_new),
    resized as (
      update image_repository set size_bytes = size_bytes + ${sizeBytes} from linked where is_new and id = ${id}
      returning id),
    counted as (
      insert into namespace_blob (namespace_id, digest, size_bytes, repositories)
      select ${namespaceId}, ${digest}, ${sizeBytes}::bigint, 1 from resized
      on conflict (namespace_id, digest) do update set repositories = namespace_blob.repositories + 1
      returning repositories)
    insert into namespace_usage (namespace_id, size_bytes)
    select ${namespaceId}, ${sizeBytes}::bigint from counted where repositories = 1
    on conflict (namespace_id) do update set size_bytes = namespace_usage.size_bytes + excluded.size_bytes
    returning size_bytes, metadata_bytes`.execute(db);
  return rows.length === 0 ? undefined : countedBytes(usageOf(rows));
}

/** Links a blob to a repository, or renews the link. @returns whether the link is new */
export async function linkBlob(
  db: RegistryDb,
  link: { readonly repository_id: string; readonly digest: string; readonly linked_at: number },
): Promise<boolean> {
  const { repository_id, digest, linked_at } = link;
  const inserted = await db
    .insertInto("repository_blob")
    .values({ ...link, manifests: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning("digest")
    .executeTakeFirst();
  if (inserted !== undefined) return true;
  await db
    .updateTable("repository_blob")
    .set({ linked_at })
    .where("repository_id", "=", repository_id)
    .where("digest", "=", digest)
    .execute();
  return false;
}

/** Stores the row of a blob, unless it exists. The blob was stored just now: it is no longer damaged. */
export async function insertBlob(db: RegistryDb, blob: NewRow<"blob">): Promise<void> {
  await db
    .insertInto("blob")
    .values(blob)
    .onConflict((conflict) =>
      conflict.column("digest").doUpdateSet({ fault: null, damaged_at: null }).where("blob.damaged_at", "is not", null),
    )
    .execute();
}

/** A repository that is locked until the transaction ends. */
export interface LockedRepository {
  readonly state: RepositoryState;
  readonly namespace_id: string;
  /** JSON. */
  readonly immutability_policies: string;
  /** The policies of its organization: JSON; null if there are none. */
  readonly inherited_policies: string | null;
}

/**
 * Locks a repository until the transaction ends: no other transaction can change its tags and manifests. Rows that were read before
 * the lock may be outdated; read them again.
 * @throws RegistryError `not_found` for a repository that is gone
 */
export async function lockRepository(db: RegistryDb, repositoryId: string): Promise<LockedRepository> {
  const locked = await lockIfThere(db, repositoryId);
  if (locked === undefined) throw notFound("The repository has just been deleted");
  return locked;
}

/**
 * As {@link lockRepository}, but undefined for a repository that is gone. The statement changes no value; on PostgreSQL it locks the
 * row.
 */
export async function lockIfThere(db: RegistryDb, repositoryId: string): Promise<LockedRepository | undefined> {
  return db
    .updateTable("image_repository")
    .set(({ ref }) => ({ state: ref("state") }))
    .where("id", "=", repositoryId)
    .returning(["state", "namespace_id", "immutability_policies"])
    .returning(({ selectFrom }) =>
      selectFrom("organization_immutability")
        .select("policies")
        .whereRef("organization_id", "=", "image_repository.namespace_id")
        .as("inherited_policies"),
    )
    .executeTakeFirst();
}
