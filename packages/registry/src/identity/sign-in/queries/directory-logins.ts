import type { AccountRow } from "../../../access/queries/accounts.ts";
import type { RegistryDb, Row } from "../../../store/tables/all.ts";

/** The account of the user of a directory who has signed in with the login. */
export async function findAccountOfDirectoryLogin(db: RegistryDb, login: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom("directory_login")
    .innerJoin("account", "account.id", "directory_login.account_id")
    .selectAll("account")
    .where("directory_login.login", "=", login)
    .where("account.kind", "=", "user")
    .executeTakeFirst();
}

/** Whose login it is, and when that user last signed in with it. */
export async function findDirectoryLogin(db: RegistryDb, login: string): Promise<Row<"directory_login"> | undefined> {
  return db.selectFrom("directory_login").selectAll().where("login", "=", login).executeTakeFirst();
}

/** Stores with which login a user of a directory has signed in, and when, in epoch milliseconds. */
export async function putDirectoryLogin(db: RegistryDb, row: Row<"directory_login">): Promise<void> {
  const { account_id, seen_at } = row;
  await db
    .insertInto("directory_login")
    .values(row)
    .onConflict((conflict) => conflict.column("login").doUpdateSet({ account_id, seen_at }))
    .execute();
}

/** Deletes the directory logins of an account except the newest `kept`. */
export async function deleteOlderDirectoryLogins(db: RegistryDb, accountId: string, kept: number): Promise<void> {
  const ofAccount = db.selectFrom("directory_login").where("account_id", "=", accountId);
  const newest = ofAccount.select("login").orderBy("seen_at", "desc").orderBy("login", "desc").limit(kept);
  await db.deleteFrom("directory_login").where("account_id", "=", accountId).where("login", "not in", newest).execute();
}
