import type { Transaction } from "kysely";
import type { UpdateOperation } from "../values/update-operation.ts";
import { type ProcessedOperation, recordedAt } from "../values/update-operation.ts";
import type { Told } from "./notification-sets.ts";
import type { NotifierStore, NotifierTables } from "./tables.ts";

/** The operations of an updater that a subscriber was told of, as far as they are still remembered. */
export async function processedOperations(
  { db }: NotifierStore,
  { subscriber, updater }: Told,
): Promise<readonly ProcessedOperation[]> {
  return db
    .selectFrom("notified_operation")
    .select(["ref", "recorded_at as recordedAt"])
    .where("subscriber", "=", subscriber)
    .where("updater", "=", updater)
    .execute();
}

/** Remembers that an operation was dealt with. @returns false when it was already */
export async function rememberOperation(
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

/** Forgets those operations of an updater that no list has any more. The newest ones stay, whatever the list says. */
export async function forgetOperations(
  { db }: NotifierStore,
  { subscriber, updater }: Told,
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
