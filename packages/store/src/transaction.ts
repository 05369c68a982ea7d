import { sql, type Transaction } from "kysely";
import type { Store } from "./store.ts";

/**
 * Lets one transaction at a time past this point, until it ends. On SQLite every transaction is alone anyway.
 * @param name what they have in common, for example `matcher.advisories`
 */
export async function oneAtATime<DB>(store: Store<DB>, transaction: Transaction<DB>, name: string): Promise<void> {
  if (store.kind === "sqlite") return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transaction:${name}`}, 0))`.execute(transaction);
}
