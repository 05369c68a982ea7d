import { sql } from "kysely";
import type { AccountRow } from "../../../access/queries/accounts.ts";
import { afterPrefix } from "../../../store/prefixes.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** An account that was found by its name. */
export type FoundAccount = Pick<AccountRow, "id" | "kind" | "username" | "email">;

/** A query for accounts by the beginning of their names. */
export interface AccountPrefix {
  readonly prefix: string;
  readonly kinds: "users" | "users and organizations";
  readonly limit: number;
}

/**
 * The first enabled users, or users and organizations, whose names begin with a text, by name. The condition on the kind uses `<>`: for
 * `=` SQLite would read all accounts of that kind and sort them.
 */
export async function listAccountsByPrefix(
  db: RegistryDb,
  { prefix, kinds, limit }: AccountPrefix,
): Promise<readonly FoundAccount[]> {
  return db
    .selectFrom("account")
    .select(["id", "kind", "username", "email"])
    .where("username", ">=", prefix)
    .where("username", "<", afterPrefix(prefix))
    .where("kind", "<>", sql.lit("robot")) // the condition of the partial index on names
    .$if(kinds === "users", (accounts) => accounts.where("kind", "<>", "organization"))
    .where("enabled", "=", 1)
    .orderBy("username")
    .limit(limit)
    .execute();
}
