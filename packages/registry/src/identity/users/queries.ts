import type { RegistryDb } from "../../store/tables/all.ts";

/** Stores that the registry is initialized. @returns false if it was initialized before, or has users */
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
