import type { RuleOwner } from "../../access/named-owner.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The gate of an owner, as it is stored. */
export async function findGate(db: RegistryDb, owner: RuleOwner): Promise<string | undefined> {
  const found = db.selectFrom("pull_gate").select("gate").where("id", "=", idOf(owner));
  return (await found.executeTakeFirst())?.gate;
}

/** The id of an owner's gate, which is the id of the owner. */
function idOf(owner: RuleOwner): string {
  return "repositoryId" in owner ? owner.repositoryId : owner.namespaceId;
}

/** As {@link findGate}. Locks the row until the transaction ends. */
export async function lockGate(db: RegistryDb, owner: RuleOwner): Promise<string | undefined> {
  const locked = await db
    .updateTable("pull_gate")
    .set(({ ref }) => ({ gate: ref("gate") }))
    .where("id", "=", idOf(owner))
    .returning("gate")
    .executeTakeFirst();
  return locked?.gate;
}

/** Stores or replaces the gate of an owner. */
export async function putGate(db: RegistryDb, owner: RuleOwner, gate: string): Promise<void> {
  const [namespace_id, repository_id] =
    "repositoryId" in owner ? [null, owner.repositoryId] : [owner.namespaceId, null];
  await db
    .insertInto("pull_gate")
    .values({ id: idOf(owner), namespace_id, repository_id, gate })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ gate }))
    .execute();
}

/** Deletes the gate of an owner. */
export async function removeGate(db: RegistryDb, owner: RuleOwner): Promise<void> {
  await db.deleteFrom("pull_gate").where("id", "=", idOf(owner)).execute();
}
