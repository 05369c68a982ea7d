import type { Selectable } from "kysely";
import { enabledRepository } from "../../access/queries.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { BuildTriggerTable } from "../../store/tables/builds.ts";

/** A trigger as it is stored. */
export type BuildTriggerRow = Selectable<BuildTriggerTable>;

/** The most triggers of a repository. */
export const maxTriggers = 50;

/** How many deliveries of a trigger are stored. */
const maxDeliveries = 10_000;

/** The triggers of a repository, the oldest first. */
export async function listTriggers(db: RegistryDb, repositoryId: string): Promise<readonly BuildTriggerRow[]> {
  return db
    .selectFrom("build_trigger")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .orderBy("created_at")
    .orderBy("id")
    .limit(maxTriggers + 1)
    .execute();
}

/** A trigger of the given repository, or of any. */
export async function findTrigger(
  db: RegistryDb,
  id: string,
  repositoryId?: string,
): Promise<BuildTriggerRow | undefined> {
  return db
    .selectFrom("build_trigger")
    .selectAll()
    .where("id", "=", id)
    .$if(repositoryId !== undefined, (query) => query.where("repository_id", "=", repositoryId ?? ""))
    .executeTakeFirst();
}

/** Stores a trigger. */
export async function insertTrigger(db: RegistryDb, trigger: NewRow<"build_trigger">): Promise<void> {
  await db.insertInto("build_trigger").values(trigger).execute();
}

/** Turns a trigger on or off. */
export async function enableTrigger(
  db: RegistryDb,
  id: string,
  { isEnabled }: { readonly isEnabled: boolean },
): Promise<void> {
  await db
    .updateTable("build_trigger")
    .set({ is_enabled: isEnabled ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}

/** Deletes a trigger. */
export async function removeTrigger(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("build_trigger").where("id", "=", id).execute();
}

/** Stores a delivery, and deletes the oldest if there are too many. @returns false if the delivery is a repetition */
export async function insertDelivery(
  db: RegistryDb,
  delivery: { readonly trigger_id: string; readonly delivery_key: string; readonly at: number },
): Promise<boolean> {
  const inserted = await db
    .insertInto("build_trigger_delivery")
    .values(delivery)
    .onConflict((conflict) => conflict.doNothing())
    .returning("trigger_id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  const oldest = await db
    .selectFrom("build_trigger_delivery")
    .select("at")
    .where("trigger_id", "=", delivery.trigger_id)
    .orderBy("at", "desc")
    .offset(maxDeliveries)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined)
    await db
      .deleteFrom("build_trigger_delivery")
      .where("trigger_id", "=", delivery.trigger_id)
      .where("at", "<=", oldest.at)
      .execute();
  return true;
}

/** The repository of a trigger; undefined if it is deleted or its namespace is disabled. */
export async function findTriggered(db: RegistryDb, repositoryId: string) {
  return enabledRepository(db, repositoryId).where("image_repository.state", "!=", "deleted").executeTakeFirst();
}
