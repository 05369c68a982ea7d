import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Store } from "./store.ts";
import type { UnsentStatement } from "./together.ts";

/** Options of {@link oneAtATime}. */
export interface OneAtATimeOptions {
  /** The name that the transactions share, for example `matcher.advisories`. */
  readonly name: string;
  /** Whether it waits without limit, as background work may. Otherwise the lock timeout of the database applies. */
  readonly patient?: boolean;
}

/**
 * Lets only one transaction at a time continue, until that transaction ends. On SQLite transactions never run concurrently.
 * @throws StoreError `timed_out`
 * @example
 * declare const store: Store<unknown>;
 * await store.transaction(async (transaction) => {
 *   await oneAtATime(store, transaction, { name: "example.numbers" });
 *   // work that only one transaction may do at a time
 * });
 */
export async function oneAtATime<DB>(
  store: Store<DB>,
  transaction: Transaction<DB>,
  { name, patient = false }: OneAtATimeOptions,
): Promise<void> {
  if (store.kind === "sqlite") return;
  const key = keyOf(name);
  if (!patient) return void (await sql`select pg_advisory_xact_lock(${key})`.execute(transaction));
  for (let waitMs = 5; !(await tryLock(transaction, key)); waitMs = Math.min(250, waitMs * 2)) await delay(waitMs);
}

/**
 * The statement of {@link oneAtATime}, to run {@link together} with others; undefined on SQLite. Statements that must see the state under the
 * lock come after it. Outside a transaction, the lock is held until the statements of the same call are done.
 * @example
 * declare const store: Store<unknown>;
 * await store.transaction(async (transaction) => {
 *   await together(transaction, { lock: transactionLock(store, transaction, "example.numbers") });
 * });
 */
export function transactionLock<DB>(
  store: Pick<Store<unknown>, "kind">,
  transaction: Kysely<DB> | Transaction<DB>,
  name: string,
): UnsentStatement<unknown> | undefined {
  if (store.kind === "sqlite") return undefined;
  return transaction.selectNoFrom(sql<string>`pg_advisory_xact_lock(${keyOf(name)})::text`.as("taken"));
}

function keyOf(name: string): RawBuilder<unknown> {
  return sql`hashtextextended(${`transaction:${name}`}, 0)`;
}

async function tryLock<DB>(transaction: Transaction<DB>, key: RawBuilder<unknown>): Promise<boolean> {
  const query = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${key}) as taken`;
  return (await query.execute(transaction)).rows[0]?.taken === true;
}
