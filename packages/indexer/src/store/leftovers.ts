/**
 * What is long is written, and deleted, in many short transactions. Meanwhile it is not visible: no image has its number, no text
 * names its pieces. A row of `indexer_leftover` says that it is there, so that another process can delete it after one that died.
 */
import { randomUUID } from "node:crypto";
import { oneAtATime } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { deletePiecesOf, type Holder, type LongText, nameOf } from "./long-text.ts";
import { deleteUnused, manifestWrites } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables, LeftoverTable } from "./tables.ts";

/** What is not shown yet, and the lock of its writer. */
export interface Draft {
  /** Of its pieces. */
  readonly name: string;
  /** The number that the image is going to have. */
  readonly manifestId: number;
}

/** The number of the next image: that of no other one, nor of what is left of one. */
export function nextManifestId({ kind }: Pick<IndexerStore, "kind">): RawBuilder<number> {
  if (kind === "postgres") return sql<number>`nextval(pg_get_serial_sequence('indexer_manifest', 'id'))`;
  return sql<number>`(select 1 + max(
    coalesce((select max(id) from indexer_manifest), 0), coalesce((select max(manifest_id) from indexer_leftover), 0)))`;
}

/** Begins a draft; those that others began under this lock, and did not end, are deleted. @param owner the lock that the caller holds */
export async function beginDraft(store: IndexerStore, owner: string): Promise<Draft> {
  await deleteDrafts(store, owner);
  const draft = await store.relaxed
    .insertInto("indexer_leftover")
    .values({ name: randomUUID(), manifest_id: nextManifestId(store), owner })
    .returning(["name", "manifest_id"])
    .executeTakeFirstOrThrow();
  return { name: draft.name, manifestId: Number(draft.manifest_id) };
}

/** Pieces are written as long as the draft is one. */
export function holderOf({ name }: Draft): Holder {
  return sql`indexer_leftover where name = ${name} and owner is not null`;
}

/** Keeps other processes from making the draft a leftover until the transaction ends. Returns whether it still is a draft. */
export async function keepDraft(transaction: Transaction<IndexerTables>, { name }: Draft): Promise<boolean> {
  const [kept] = await transaction
    .updateTable("indexer_leftover")
    .set(({ ref }) => ({ owner: ref("owner") }))
    .where("name", "=", name)
    .where("owner", "is not", null)
    .execute();
  return kept?.numUpdatedRows === 1n;
}

/** Ends a draft in the transaction that shows it. Returns false where it was none any more. */
export async function endDraft(transaction: Transaction<IndexerTables>, { name }: Draft): Promise<boolean> {
  const drafts = transaction.deleteFrom("indexer_leftover").where("name", "=", name).where("owner", "is not", null);
  return (await drafts.executeTakeFirst()).numDeletedRows === 1n;
}

/** Says that an image, or pieces of a text, are to be deleted: belongs into the transaction that hides them. */
export async function leaveBehind(
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

/** What is to be deleted. */
export type Leftover = Pick<LeftoverTable, "name" | "manifest_id">;

/** Deletes the drafts of a lock that the caller holds: no other process writes them any more. */
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

/** A draft that is not going to be shown. */
export async function dropDraft(store: IndexerStore, { name }: Draft): Promise<void> {
  const dropped = store.relaxed.updateTable("indexer_leftover").set({ owner: null }).where("name", "=", name);
  await deleteLeftovers(store, await dropped.returning(["name", "manifest_id"]).execute());
}

/** What is there to be deleted, and the locks of all drafts. */
export async function listLeftovers({ db }: IndexerStore): Promise<readonly LeftoverTable[]> {
  return db.selectFrom("indexer_leftover").selectAll().orderBy("name").execute();
}

/** Records of one transaction, which takes some milliseconds. */
const recordsAtOnce = 250;

/** Deletes what is left in short transactions. Several may do it at the same time. */
export async function deleteLeftovers(store: IndexerStore, leftovers: readonly Leftover[]): Promise<void> {
  for (const leftover of leftovers) {
    await deletePiecesOf(store, leftover.name);
    while (leftover.manifest_id !== null && (await deleteSomeRecords(store, leftover)));
    await store.relaxed.deleteFrom("indexer_leftover").where("name", "=", leftover.name).execute();
  }
}

/** Returns whether there may be more. As soon as the leftover is gone, another image may have its number. */
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
