import { randomUUID } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { FoundNotification, VulnerabilitySummary } from "../values/notification.ts";
import type { UpdateOperation } from "../values/update-operation.ts";
import type { NotificationSetTable, NotificationTable, NotifierStore, NotifierTables } from "./tables.ts";

/** A subscriber and an updater whose operations it is notified of. */
export interface Subscription {
  readonly subscriber: string;
  readonly updater: string;
}

/** A set to insert. */
export interface NewSet {
  readonly id: string;
  readonly subscriber: string;
  readonly operation: UpdateOperation;
  /** Whether it has the complete content of a new feed. */
  readonly isFirst?: boolean;
  /** The notifications, in which equal vulnerabilities are the same object. */
  readonly notifications: Iterable<FoundNotification> | AsyncIterable<FoundNotification>;
  readonly createdAt: number;
  /** `created` by default. */
  readonly state?: "writing" | "created";
}

/** The rows of one statement; their values stay below the engines' limit of 32,766. */
const rowsPerStatement = 1_000;

/**
 * Writes a set with its notifications, which may be hundreds of thousands. Outside a transaction, use the state `writing`, so that no
 * transaction is long.
 * @returns the number of notifications
 */
export async function insertSet(
  db: Kysely<NotifierTables>,
  { id, subscriber, operation, isFirst, notifications, createdAt, state = "created" }: NewSet,
): Promise<number> {
  await db
    .insertInto("notification_set")
    .values({
      id,
      subscriber,
      is_first: isFirst ? 1 : 0,
      ref: operation.ref,
      updater: operation.updater,
      state,
      notifications: 0,
      created_at: createdAt,
      changed_at: createdAt,
      last_error: null,
    })
    .execute();
  const numbers = new Map<VulnerabilitySummary, number>();
  let written = 0;
  for await (const page of pagesOf(rowsOf(id, notifications, numbers), rowsPerStatement)) {
    await db.insertInto("notification").values(page).execute();
    written += page.length;
  }
  const vulnerabilities = [...numbers].map(([summary, number]) => ({
    set_id: id,
    number,
    summary: JSON.stringify(summary),
  }));
  for await (const page of pagesOf(vulnerabilities, rowsPerStatement)) {
    await db.insertInto("notified_vulnerability").values(page).execute();
  }
  await db.updateTable("notification_set").set({ notifications: written }).where("id", "=", id).execute();
  return written;
}

async function* rowsOf(
  setId: string,
  notifications: NewSet["notifications"],
  numbers: Map<VulnerabilitySummary, number>,
): AsyncGenerator<NotificationTable> {
  let seq = 0;
  for await (const { manifest, reason, vulnerability } of notifications) {
    const number = numbers.get(vulnerability) ?? numbers.size + 1;
    numbers.set(vulnerability, number);
    yield { set_id: setId, seq: ++seq, id: randomUUID(), manifest, reason, vulnerability: number };
  }
}

async function* pagesOf<Row>(rows: Iterable<Row> | AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let page: Row[] = [];
  for await (const row of rows) {
    if (page.push(row) < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Marks a set as complete. @throws Error if another process has taken over the updater's lock and deleted the set */
export async function finishSet(transaction: Transaction<NotifierTables>, id: string): Promise<void> {
  const sets = transaction.updateTable("notification_set").where("id", "=", id).where("state", "=", "writing");
  const { numUpdatedRows } = await sets.set({ state: "created" }).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`notification set ${id} was taken over by another process`);
}

/** Deletes unfinished sets in short transactions. The caller holds the updater's lock. */
export async function deleteUnfinished(
  { db, relaxed }: NotifierStore,
  { subscriber, updater }: Subscription,
): Promise<void> {
  const writing = db
    .selectFrom("notification_set")
    .where("subscriber", "=", subscriber)
    .where("updater", "=", updater)
    .where("state", "=", "writing");
  for (const { id } of await writing.select("id").execute()) {
    const ofSet = db.selectFrom("notification").where("set_id", "=", id);
    for (;;) {
      const { last } = await ofSet.select(({ fn }) => fn.max("seq").as("last")).executeTakeFirstOrThrow();
      if (last === null) break;
      const some = relaxed.deleteFrom("notification").where("set_id", "=", id);
      await some.where("seq", ">", last - rowsPerStatement).execute();
    }
    await deleteSet(relaxed, id);
  }
}

/** Finds a set by its id. */
export async function findSet({ db }: NotifierStore, id: string): Promise<NotificationSetTable | undefined> {
  return db.selectFrom("notification_set").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Records the result of the last delivery of a set. Does nothing if the set does not exist. */
export async function putSetState(
  db: Kysely<NotifierTables>,
  id: string,
  change: Pick<NotificationSetTable, "state" | "changed_at" | "last_error">,
): Promise<void> {
  await db.updateTable("notification_set").set(change).where("id", "=", id).execute();
}

/** Deletes a set with all its notifications. The record of its operation is kept. Does nothing if the set does not exist. */
export async function deleteSet(db: Kysely<NotifierTables>, id: string): Promise<void> {
  await db.deleteFrom("notification_set").where("id", "=", id).execute();
}

/**
 * Deletes the sets of a subscriber that were delivered or failed before an instant. Sets that wait for their first delivery are kept.
 * @returns the number of deleted sets
 */
export async function expireSets({ db }: NotifierStore, subscriber: string, before: number): Promise<number> {
  const [result] = await db
    .deleteFrom("notification_set")
    .where("subscriber", "=", subscriber)
    .where("state", "!=", "created")
    .where("changed_at", "<", before)
    .execute();
  return Number(result?.numDeletedRows ?? 0);
}
