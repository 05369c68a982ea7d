/**
 * Long content is written and deleted in many short transactions. Meanwhile it is not visible: no image has its id, and no text names its
 * pieces. A row of `indexer_leftover` records it, so that another process can delete it after a crash.
 */
import { randomUUID } from "node:crypto";
import { oneAtATime } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { deletePiecesOf, type Holder, type LongText, nameOf } from "./long-text.ts";
import { deleteUnused, manifestWrites } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables, LeftoverTable } from "./tables.ts";

/** Content that is written but not visible yet. */
export interface Draft {
  /** The name of its pieces. */
  readonly name: string;
  /** The id that the image will have. */
  readonly manifestId: number;
}

/** The id of the next image, which no image and no leftover has. */
export function nextManifestId({ kind }: Pick<IndexerStore, "kind">): RawBuilder<number> {
  if (kind === "postgres") return sql<number>`nextval(pg_get_serial_sequence('indexer_manifest', 'id'))`;
  return sql<number>`(select 1 + max(
    coalesce((select max(id) from indexer_manifest), 0), coalesce((select max(manifest_id) from indexer_leftover), 0)))`;
}

/** Begins a draft. Unfinished drafts of the same lock are deleted. @param owner the lock that the caller holds */
export async function beginDraft(store: IndexerStore, owner: string): Promise<Draft> {
  await deleteDrafts(store, owner);
  const draft = await store.relaxed
    .insertInto("indexer_leftover")
    .values({ name: randomUUID(), manifest_id: nextManifestId(store), owner })
    .returning(["name", "manifest_id"])
    .executeTakeFirstOrThrow();
  return { name: draft.name, manifestId: Number(draft.manifest_id) };
}

/** The holder of a draft's pieces: they are written only while the draft exists. */
export function holderOf({ name }: Draft): Holder {
  return sql`indexer_leftover where name = ${name} and owner is not null`;
}

/** Prevents other processes from deleting the draft until the transaction ends. Returns whether it still exists. */
export async function keepDraft(transaction: Transaction<IndexerTables>, { name }: Draft): Promise<boolean> {
  const [kept] = await transaction
    .updateTable("indexer_leftover")
    .set(({ ref }) => ({ owner: ref("owner") }))
    .where("name", "=", name)
    .where("owner", "is not", null)
    .execute();
  return kept?.numUpdatedRows === 1n;
}

/** Ends a draft in the transaction that makes it visible. Returns false if it no longer existed. */
export async function endDraft(transaction: Transaction<IndexerTables>, { name }: Draft): Promise<boolean> {
  const drafts = transaction.deleteFrom("indexer_leftover").where("name", "=", name).where("owner", "is not", null);
  return (await drafts.executeTakeFirst()).numDeletedRows === 1n;
}

/** Records images and pieces of texts that are to be deleted, in the transaction that makes them invisible. */
export async function addLeftovers(
  transaction: Transaction<IndexerTables>,
  items: readonly (Pick<LongText, "more"> & { readonly id?: number })[],
): Promise<readonly Leftover[]> {
  const left = items
    .filter(({ id, more }) => id !== undefined || more !== null)
    .map(({ id, more }) => ({ name: nameOf(more) ?? randomUUID(), manifest_id: id ?? null, owner: null }));
  if (left.length === 0) return [];
  const insert = transaction.insertInto("indexer_leftover").values(left);
  await insert.onConflict((conflict) => conflict.column("name").doNothing()).execute();
  return left;
}

/** Content that is to be deleted. */
export type Leftover = Pick<LeftoverTable, "name" | "manifest_id">;

/** Deletes the drafts of a lock that the caller holds, which no other process writes any more. */
export async function deleteDrafts(store: IndexerStore, owner: string): Promise<void> {
  await deleteLeftovers(
    store,
    await store.relaxed
      .updateTable("indexer_leftover")
      .set({ owner: null })
      .where("owner", "=", owner)
      .returning(["name", "manifest_id"])
      .execute(),
  );
}

/** Deletes a draft that will not become visible. */
export async function dropDraft(store: IndexerStore, { name }: Draft): Promise<void> {
  const dropped = store.relaxed.updateTable("indexer_leftover").set({ owner: null }).where("name", "=", name);
  await deleteLeftovers(store, await dropped.returning(["name", "manifest_id"]).execute());
}

/** All leftovers and drafts. */
export async function listLeftovers({ db }: IndexerStore): Promise<readonly LeftoverTable[]> {
  return db.selectFrom("indexer_leftover").selectAll().orderBy("name").execute();
}

/** The number of records of one transaction, which takes some milliseconds. */
const recordsAtOnce = 250;

/** Deletes leftovers in short transactions. Several processes may do it at the same time. */
export async function deleteLeftovers(store: IndexerStore, leftovers: readonly Leftover[]): Promise<void> {
  for (const leftover of leftovers) {
    await deletePiecesOf(store, leftover.name);
    while (leftover.manifest_id !== null && (await deleteSomeRecords(store, leftover)));
    await store.relaxed.deleteFrom("indexer_leftover").where("name", "=", leftover.name).execute();
  }
}

/** Returns whether there may be more. Once the leftover is deleted, another image may get its id, so that it is checked first. */
async function deleteSomeRecords(store: IndexerStore, { name, manifest_id }: Leftover): Promise<boolean> {
  return store.relaxed.transaction().execute(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    const kept = await transaction
      .updateTable("indexer_leftover")
      .set({ owner: null })
      .where("name", "=", name)
      .executeTakeFirst();
    if (kept.numUpdatedRows === 0n) return false;
    const ofImage = transaction.selectFrom("indexer_manifest_record").where("manifest_id", "=", manifest_id);
    const rows = await ofImage.select("record_id").limit(recordsAtOnce).execute();
    if (rows.length === 0) return false;
    await transaction
      .deleteFrom("indexer_manifest_record")
      .where("manifest_id", "=", manifest_id)
      .where(
        "record_id",
        "in",
        rows.map(({ record_id }) => record_id),
      )
      .execute();
    await deleteUnused(transaction, rows);
    return rows.length === recordsAtOnce;
  });
}
