import { compileOnce, type Parameter } from "@plimsoll/store";
import { type Selectable, sql } from "kysely";
import type { AccountKind, AccountTable } from "../../store/tables/accounts.ts";
import type { RegistryDb, RowChanges } from "../../store/tables/all.ts";
import { longestEmail, userEmail } from "../../store/user-email.ts";
import { isAccountName } from "../../values/names.ts";

/** An account as it is stored. */
export type AccountRow = Selectable<AccountTable>;

/** The account of that name, of one of those kinds. */
export async function findAccount(
  db: RegistryDb,
  username: string,
  ...kinds: readonly AccountKind[]
): Promise<AccountRow | undefined> {
  if (!isAccountName(username)) return undefined;
  const [account] = await findByName(db, { username });
  return kinds.length === 0 || (account !== undefined && kinds.includes(account.kind)) ? account : undefined;
}

const findByName = compileOnce((db: RegistryDb, parameter: Parameter<{ username: string }>) =>
  db.selectFrom("account").selectAll().where("username", "=", parameter("username")),
);

/** The account with that id. */
export async function findAccountById(db: RegistryDb, id: string): Promise<AccountRow | undefined> {
  const [account] = await findById(db, { id });
  return account;
}

/** {@link findAccountById}, to be joined to another look-up. */
export const findById = compileOnce((db: RegistryDb, parameter: Parameter<{ id: string }>) =>
  db.selectFrom("account").selectAll().where("id", "=", parameter("id")),
);

/** The user of that name or e-mail address. Users sign in with either. */
export async function findUserByLogin(db: RegistryDb, login: string): Promise<AccountRow | undefined> {
  return login.includes("@") ? findUserByEmail(db, login) : findAccount(db, login, "user");
}

/** The user with that e-mail address, whatever the case of its letters. */
export async function findUserByEmail(db: RegistryDb, email: string): Promise<AccountRow | undefined> {
  if (email.length > longestEmail) return undefined;
  return db
    .selectFrom("account")
    .selectAll()
    .where(sql.raw<string>(userEmail), "=", sql<string>`lower(${email})`)
    .executeTakeFirst();
}

/**
 * Locks a namespace until the transaction ends. The statement changes no value; on PostgreSQL it locks the row. It sets no key
 * column: for a key, SQLite would visit all rows that refer to it, which are all repositories, robots and teams of the namespace.
 */
export async function lockNamespace(db: RegistryDb, namespaceId: string): Promise<void> {
  await db
    .updateTable("account")
    .set(({ ref }) => ({ enabled: ref("enabled") }))
    .where("id", "=", namespaceId)
    .execute();
}

/** Changes columns of an account. */
export async function updateAccount(db: RegistryDb, id: string, changes: RowChanges<"account">): Promise<void> {
  await db.updateTable("account").set(changes).where("id", "=", id).execute();
}

/** Whether a deleted namespace still holds the name, because its content is being collected. */
export async function isRetiredName(db: RegistryDb, name: string): Promise<boolean> {
  const retired = await db
    .selectFrom("retired_namespace")
    .select("account_id")
    .where("name", "=", name)
    .executeTakeFirst();
  return retired !== undefined;
}
