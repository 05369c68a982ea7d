import { randomUUID } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { FoundNotification, VulnerabilitySummary } from "../values/notification.ts";
import type { UpdateOperation } from "../values/update-operation.ts";
import type { NotificationSetTable, NotificationTable, NotifierStore, NotifierTables } from "./tables.ts";

/** Who is told of the operations of which updater. */
export interface Told {
  readonly subscriber: string;
  readonly updater: string;
}

/** A set to be. */
export interface NewSet {
  readonly id: string;
  readonly subscriber: string;
  readonly operation: UpdateOperation;
  /** Whether it is all that a feed says which was never seen before. */
  readonly isFirst?: boolean;
  /** Equal vulnerabilities are the same object. */
  readonly notifications: Iterable<FoundNotification> | AsyncIterable<FoundNotification>;
  readonly createdAt: number;
  /** `created` where absent. */
  readonly state?: "writing" | "created";
}

/** Rows of one statement: far below the 32,766 values that the engines allow. */
const rowsPerStatement = 1_000;

/**
 * Writes a set with its notifications, of which there may be hundreds of thousands: outside of a transaction as one that is `writing`,
 * so that no transaction is long.
 * @returns how many there are
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

/** Marks a set as complete. @throws Error when the process that has taken over the updater's lock has deleted it */
export async function finishSet(transaction: Transaction<NotifierTables>, id: string): Promise<void> {
  const sets = transaction.updateTable("notification_set").where("id", "=", id).where("state", "=", "writing");
  const { numUpdatedRows } = await sets.set({ state: "created" }).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`notification set ${id} was taken over by another process`);
}

/** Deletes what is left of unfinished sets, in short transactions. The caller holds the updater's lock. */
export async function deleteUnfinished({ db, relaxed }: NotifierStore, { subscriber, updater }: Told): Promise<void> {
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

/** The set of that id. */
export async function findSet({ db }: NotifierStore, id: string): Promise<NotificationSetTable | undefined> {
  return db.selectFrom("notification_set").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Records how the last delivery of a set ended. Harmless when the set is gone. */
export async function putSetState(
  db: Kysely<NotifierTables>,
  id: string,
  change: Pick<NotificationSetTable, "state" | "changed_at" | "last_error">,
): Promise<void> {
  await db.updateTable("notification_set").set(change).where("id", "=", id).execute();
}

/** Removes a set with all its notifications. That its operation was told stays remembered. Harmless when it is gone. */
export async function deleteSet(db: Kysely<NotifierTables>, id: string): Promise<void> {
  await db.deleteFrom("notification_set").where("id", "=", id).execute();
}

/**
 * Removes the sets of a subscriber whose delivery ended, well or not, before an instant. What still waits for its first delivery stays.
 * @returns how many there were
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
