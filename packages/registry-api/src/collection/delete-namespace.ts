import { enqueueJob } from "@plimsoll/store";
import { sql } from "kysely";
import type { AccountRow } from "../access/queries/accounts.ts";
import { notFound } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { withdrawPruning } from "../pruning/prune-policies.ts";
import { unlessTaken } from "../store/conflicts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { hideRepositories } from "./hide-repositories.ts";
import { collectNamespaceJob } from "./jobs.ts";
import { removeBelongings } from "./remove-belongings.ts";

/** A namespace that has more repositories, robots or teams is taken apart by the job, in steps. */
const atOnce = 200;

/**
 * Takes a user or an organization away: nobody can sign in as it or see what it had. Where it has repositories, or much else, its
 * name is kept until a job has collected them, else it is free at once. Belongs into a transaction, after its entry of the usage
 * log.
 * @throws RegistryError `not_found` when it has just been deleted
 */
export async function deleteNamespace(db: RegistryDb, { id, username }: AccountRow, clock: Clock): Promise<void> {
  const now = clock.now();
  const retired = db.insertInto("retired_namespace").values({ account_id: id, name: username, retired_at: now });
  await unlessTaken(retired.execute(), notFound); // somebody else has just deleted it
  await withdrawPruning(db, id);
  const repositories = await findFew(db, "image_repository", "namespace_id", id);
  if (repositories !== undefined) await hideRepositories(db, repositories, now);
  const hasFew =
    repositories !== undefined &&
    (await findFew(db, "robot", "owner_id", id)) !== undefined &&
    (await findFew(db, "team", "organization_id", id)) !== undefined;
  if (hasFew) await removeBelongings(db, id);
  const isEmpty = hasFew && (await removeIfEmpty(db, id));
  if (isEmpty) return;
  await db
    .updateTable("account")
    .set((eb) => ({
      username: `:${id}`, // no name that anybody can ask for
      email: null,
      password_hash: null,
      enabled: 0,
      credential_version: eb("credential_version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
  await enqueueJob(db, collectNamespaceJob.of({ accountId: id }), clock);
}

const keyOf = { image_repository: "id", robot: "account_id", team: "id" } as const;

/** What a namespace has in a table; undefined where that is more than is dealt with at once. */
async function findFew<Table extends keyof typeof keyOf>(
  db: RegistryDb,
  table: Table,
  column: string,
  id: string,
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ readonly key: string }>`
    select ${sql.ref(keyOf[table])} as key from ${sql.table(table)} where ${sql.ref(column)} = ${id}
    limit ${atOnce + 1}`.execute(db);
  return rows.length > atOnce ? undefined : rows.map(({ key }) => key);
}

/** Removes the account of a namespace that has no repositories, not even deleted ones that are still collected. */
async function removeIfEmpty(db: RegistryDb, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("account")
    .where("id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("image_repository").select("id").where("namespace_id", "=", id))),
    )
    .returning("id")
    .executeTakeFirst();
  return removed !== undefined;
}
