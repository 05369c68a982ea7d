import type { StoreKind } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { deleteFailure } from "./failed-updates.ts";
import { decodeAccount, encodeAccount, type FeedAccount } from "./feed-account.ts";
import { type DroppedRecords, decodeDropped, encodeDropped } from "./feed-status.ts";
import type { MatcherStore, MatcherTables, UpdateKind } from "./tables.ts";

/** A recorded run of an updater. */
export interface UpdateOperation {
  /** UUID. */
  readonly ref: string;
  readonly updater: string;
  readonly fingerprint: string;
  /** Epoch milliseconds. */
  readonly date: number;
  readonly kind: UpdateKind;
}

/** An operation with its positions in the orders of operations. */
export interface OrderedOperation extends UpdateOperation {
  readonly seq: number;
  /** Its position among the operations of all updaters, in the order in which they became visible. */
  readonly place: number;
}

/** The name of the lock for transactions that write advisories, texts and operations. */
export const advisoryWrites = "matcher.advisories";

type Queries = MatcherStore["db"] | Transaction<MatcherTables>;

/**
 * All operations by updater, the newest first. Written without the query builder, because clients request it often.
 * @example
 * declare const store: MatcherStore;
 * const operations = await listOperations(store, { kind: "vulnerability" });
 */
export async function listOperations(
  store: MatcherStore,
  options: { readonly kind?: UpdateKind } = {},
): Promise<readonly UpdateOperation[]> {
  const { where, parameters } = ofKind(store.kind, options.kind);
  const text = `select ref, updater, fingerprint, date, kind from update_operation ${where} order by updater, seq desc`;
  const rows = await store.prepareRead(text)(...parameters);
  return rows.map(([ref, updater, fingerprint, date, kind]) => ({
    ref: String(ref),
    updater: String(updater),
    fingerprint: String(fingerprint),
    date: Number(date),
    kind: kind as UpdateKind,
  }));
}

/** The `ref` of the newest operation of all updaters, read before each response that may be unchanged. */
export async function findLatestRef(store: MatcherStore, kind?: UpdateKind): Promise<string | undefined> {
  const { where, parameters } = ofKind(store.kind, kind);
  const text = `select ref from update_operation ${where} order by place desc limit 1`;
  const [row] = await store.prepareRead(text)(...parameters);
  return row === undefined ? undefined : String(row[0]);
}

/** The condition of a prepared read for the operations of a kind, or of all. */
function ofKind(store: StoreKind, kind: UpdateKind | undefined) {
  if (kind === undefined) return { where: "", parameters: [] };
  return { where: store === "sqlite" ? "where kind = ?" : "where kind = $1", parameters: [kind] };
}

/**
 * The newest operation of each updater, by updater.
 * @example
 * declare const store: MatcherStore;
 * for (const { updater, fingerprint } of await latestOperations(store)) console.log(updater, fingerprint);
 */
export async function latestOperations(
  store: MatcherStore,
  options: { readonly kind?: UpdateKind } = {},
): Promise<readonly UpdateOperation[]> {
  const operations = await listOperations(store, options);
  return operations.filter(({ updater }, index) => operations[index - 1]?.updater !== updater);
}

const operationColumns = ["seq", "place", "ref", "updater", "fingerprint", "date", "kind"] as const;

/** The operation with a ref. */
export async function findOperation(db: Queries, ref: string): Promise<OrderedOperation | undefined> {
  return db.selectFrom("update_operation").select(operationColumns).where("ref", "=", ref).executeTakeFirst();
}

/** The unusable records of an operation's feed; undefined if the operation does not exist. */
export async function findDropped(db: Queries, ref: string): Promise<DroppedRecords | undefined> {
  const row = await db
    .selectFrom("update_operation")
    .select(["dropped_count", "dropped"])
    .where("ref", "=", ref)
    .executeTakeFirst();
  return row && { count: Number(row.dropped_count), first: decodeDropped(row.dropped) };
}

/** What became of the records of an operation's feed; undefined if it is not known. */
export async function findAccount(db: Queries, ref: string): Promise<FeedAccount | undefined> {
  const row = await db.selectFrom("update_operation").select("account").where("ref", "=", ref).executeTakeFirst();
  return decodeAccount(row?.account ?? null);
}

/** The newest operation of an updater. */
export async function findLatestOperation(db: Queries, updater: string): Promise<OrderedOperation | undefined> {
  return db
    .selectFrom("update_operation")
    .select(operationColumns)
    .where("updater", "=", updater)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The operations of one updater, oldest first. */
export async function operationsOf(db: Queries, updater: string): Promise<readonly OrderedOperation[]> {
  const all = db.selectFrom("update_operation").select(operationColumns);
  return all.where("updater", "=", updater).orderBy("seq").execute();
}

/** The time of the last check of each updater, in epoch milliseconds, by name. */
export async function checkTimes({ db }: MatcherStore): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom("updater").select(["name", "checked_at"]).execute();
  return new Map(rows.map(({ name, checked_at }) => [name, checked_at]));
}

/** The ecosystems that the feeds in the database cover: `debian:12`, `npm`. */
export async function loadedEcosystems({ db }: MatcherStore): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("updater_ecosystem")
    .select("ecosystem")
    .distinct()
    .where("valid_to", "is", null)
    .execute();
  return rows.map(({ ecosystem }) => ecosystem);
}

/** Stores the time of an updater's check, which never decreases, and deletes its failure. */
export async function putChecked(db: Queries, updater: string, checkedAt: number): Promise<void> {
  await db
    .insertInto("updater")
    .values({ name: updater, checked_at: checkedAt, seq: 0 })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((row) => ({ checked_at: row.ref("excluded.checked_at") }))
        .whereRef("updater.checked_at", "<", "excluded.checked_at"),
    )
    .execute();
  await deleteFailure(db, updater);
}

/** The row count and the unusable records of an operation's feed. */
export interface FeedContent {
  readonly rows: number;
  readonly dropped: DroppedRecords;
  readonly account: FeedAccount | undefined;
}

/** Makes an operation of an updater the visible one. */
export async function showOperation(db: Queries, updater: string, seq: number): Promise<void> {
  await db.updateTable("updater").set({ seq }).where("name", "=", updater).execute();
}

/** Appends an operation with its reserved `seq`. Its date is not before that of the updater's last operation. */
export async function appendOperation(
  transaction: Transaction<MatcherTables>,
  operation: UpdateOperation,
  { rows, dropped, account, seq }: FeedContent & { readonly seq: number },
): Promise<OrderedOperation> {
  const previous = await findLatestOperation(transaction, operation.updater);
  const { last } = await transaction
    .selectFrom("update_operation")
    .select(({ fn }) => fn.max("place").as("last"))
    .executeTakeFirstOrThrow();
  const appended = {
    ...operation,
    date: Math.max(operation.date, previous?.date ?? operation.date),
    seq,
    place: Number(last ?? 0) + 1,
  };
  await transaction
    .insertInto("update_operation")
    .values({
      ...appended,
      row_count: rows,
      dropped_count: dropped.count,
      dropped: encodeDropped(dropped.first),
      account: encodeAccount(account),
    })
    .execute();
  return appended;
}

/** A `seq` that no operation or running update has. */
export async function nextSeq(transaction: Transaction<MatcherTables>): Promise<number> {
  const taken = await Promise.all(
    (["update_operation", "running_update"] as const).map((table) =>
      transaction
        .selectFrom(table)
        .select(({ fn }) => fn.max<number | string | null>("seq").as("last"))
        .executeTakeFirst(),
    ),
  );
  return Math.max(0, ...taken.map((row) => Number(row?.last ?? 0))) + 1;
}
