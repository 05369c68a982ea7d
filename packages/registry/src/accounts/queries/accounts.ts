import type { AccountRow } from "../../access/queries/accounts.ts";
import type { AccountKind } from "../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

/** A page of the accounts of a kind, ordered by id, without those that are being deleted. */
export async function listAccounts(
  db: RegistryDb,
  { kind, after, disabled, limit }: AccountsPage,
): Promise<readonly AccountRow[]> {
  const retired = db.selectFrom("retired_namespace").select("account_id");
  return db
    .selectFrom("account")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", "not in", retired)
    .$if(!disabled, (accounts) => accounts.where("enabled", "=", 1))
    .$if(after !== undefined, (accounts) => accounts.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Which accounts of a kind are listed. */
export interface AccountsPage {
  readonly kind: AccountKind;
  /** The id of the account before; absent for the first page. */
  readonly after?: string;
  /** False: only those that are enabled. */
  readonly disabled: boolean;
  readonly limit: number;
}

/** Stores an account. @returns false where another has its name or its e-mail address */
export async function insertAccount(db: RegistryDb, account: NewRow<"account">): Promise<boolean> {
  const inserted = await db
    .insertInto("account")
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Whether there is an account of that name, of any kind. */
export async function hasAccount(db: RegistryDb, username: string): Promise<boolean> {
  const account = await db.selectFrom("account").select("id").where("username", "=", username).executeTakeFirst();
  return account !== undefined;
}
