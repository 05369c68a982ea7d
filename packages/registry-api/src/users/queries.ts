import type { RegistryDb } from "../store/tables/all.ts";

/** Deletes the codes with which a user could recover the account. */
export async function deleteRecoveryCodes(db: RegistryDb, accountId: string): Promise<void> {
  await db.deleteFrom("email_code").where("account_id", "=", accountId).where("purpose", "=", "recover").execute();
}

/** Stores that the registry has been initialized. @returns false where it has been before, or where there are users */
export async function claimInitialization(db: RegistryDb, now: number): Promise<boolean> {
  const claimed = await db
    .insertInto("registry_fact")
    .values({ name: "initialized", value: String(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .executeTakeFirst();
  return claimed !== undefined && !(await hasUsers(db));
}

/** Whether there is any user. */
export async function hasUsers(db: RegistryDb): Promise<boolean> {
  const user = await db.selectFrom("account").select("id").where("kind", "=", "user").limit(1).executeTakeFirst();
  return user !== undefined;
}
