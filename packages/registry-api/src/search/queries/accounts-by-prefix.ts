import { sql } from "kysely";
import type { AccountRow } from "../../access/queries/accounts.ts";
import { afterPrefix } from "../../store/prefixes.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** An account that was looked for by its name. */
export type FoundAccount = Pick<AccountRow, "id" | "kind" | "username" | "email">;

/** What the names begin with, of whom, and how many. */
export interface AccountPrefix {
  readonly prefix: string;
  readonly kinds: "users" | "users and organizations";
  readonly limit: number;
}

/**
 * The first users and organizations whose names begin with a text, by name; without disabled ones. The condition on the kind uses
 * `<>`: for `=` SQLite would look up all accounts of that kind, and sort them.
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
    .where("kind", "<>", sql.lit("robot")) // as the index of these names says it
    .$if(kinds === "users", (accounts) => accounts.where("kind", "<>", "organization"))
    .where("enabled", "=", 1)
    .orderBy("username")
    .limit(limit)
    .execute();
}
