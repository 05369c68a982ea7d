import type { RegistryDb } from "./tables/all.ts";

/** A fact that all nodes share; undefined if no node has stored it yet. */
export async function findFact(db: RegistryDb, name: string): Promise<string | undefined> {
  const fact = await db.selectFrom("registry_fact").select("value").where("name", "=", name).executeTakeFirst();
  return fact?.value;
}

/** Stores a fact; an earlier value is replaced. */
export async function putFact(db: RegistryDb, name: string, value: string): Promise<void> {
  await db
    .insertInto("registry_fact")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
