import { sql } from "kysely";
import { addUsage, type CountedBlob, type CountedRepository } from "../quotas/usage.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";

/** A blob that a repository is to have. */
export interface EnteredBlob extends CountedBlob {
  readonly repository: CountedRepository;
  readonly now: number;
}

/**
 * Gives a repository a blob, or lets it have it from now on anew: for the repository where it did not have it, and for the
 * namespace where no other of its repositories has it, its bytes count. Belongs into a transaction that has the lock of the
 * digest; others that count for the namespace then wait for its end.
 * @returns the usage of the namespace where it has grown
 */
export async function enterBlob(store: RegistryStore, db: RegistryDb, blob: EnteredBlob): Promise<number | undefined> {
  return store.kind === "postgres" ? enterAtOnce(db, blob) : enterStepByStep(db, blob);
}

/**
 * In one statement: what each part does depends on what the one before returns, so the rows are locked in this order. A row that
 * was inserted and not updated has no `xmax`.
 */
async function enterAtOnce(db: RegistryDb, { repository, digest, sizeBytes, now }: EnteredBlob) {
  const { id, namespaceId } = repository;
  const { rows } = await sql<{ readonly size_bytes: number }>`
    with entered as (
      insert into blob (digest, size_bytes, created_at) values (${digest}, ${sizeBytes}, ${now})
      on conflict (digest) do nothing),
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
    returning size_bytes`.execute(db);
  return rows[0]?.size_bytes;
}

async function enterStepByStep(db: RegistryDb, { repository, digest, sizeBytes, now }: EnteredBlob) {
  await db
    .insertInto("blob")
    .values({ digest, size_bytes: sizeBytes, created_at: now })
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .execute();
  const isNew = await linkBlob(db, { repository_id: repository.id, digest, linked_at: now });
  return isNew ? addUsage(db, repository, { digest, sizeBytes }) : undefined;
}

/** @returns whether the repository did not have it before */
async function linkBlob(
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
