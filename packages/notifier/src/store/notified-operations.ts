import type { Transaction } from "kysely";
import { type ProcessedOperation, recordedAt, type UpdateOperation } from "../values/update-operation.ts";
import type { Subscription } from "./notification-sets.ts";
import type { NotifierStore, NotifierTables } from "./tables.ts";

/** The recorded operations of an updater that were processed for a subscriber. */
export async function listProcessedOperations(
  { db }: NotifierStore,
  { subscriber, updater }: Subscription,
): Promise<readonly ProcessedOperation[]> {
  return db
    .selectFrom("notified_operation")
    .select(["ref", "recorded_at as recordedAt"])
    .where("subscriber", "=", subscriber)
    .where("updater", "=", updater)
    .execute();
}

/** Records that an operation was processed. @returns false if it was recorded already */
export async function recordOperation(
  transaction: Transaction<NotifierTables>,
  subscriber: string,
  operation: UpdateOperation,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("notified_operation")
    .values({ subscriber, ref: operation.ref, updater: operation.updater, recorded_at: recordedAt(operation) })
    .onConflict((conflict) => conflict.columns(["subscriber", "ref"]).doNothing())
    .returning("ref")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Deletes the records of operations that the matcher does not list any more. The newest record is always kept. */
export async function deleteOldOperations(
  { db }: NotifierStore,
  { subscriber, updater }: Subscription,
  listed: readonly UpdateOperation[],
): Promise<void> {
  const newest = db
    .selectFrom("notified_operation")
    .select(({ fn }) => fn.max("recorded_at").as("recorded_at"))
    .where("subscriber", "=", subscriber)
    .where("updater", "=", updater);
  const refs = listed.map(({ ref }) => ref);
  let outdated = db
    .deleteFrom("notified_operation")
    .where("subscriber", "=", subscriber)
    .where("updater", "=", updater)
    .where("recorded_at", "<", newest);
  if (refs.length > 0) outdated = outdated.where("ref", "not in", refs);
  await outdated.execute();
}
