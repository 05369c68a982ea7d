import { sql } from "kysely";
import {
  type CountedBlob,
  type CountedRepository,
  countedBytes,
  usageOf,
} from "../../organizations/quotas/queries/usage.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

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
