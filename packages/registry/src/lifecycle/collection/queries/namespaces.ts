import { sql } from "kysely";
import {
  deleteAssignmentNotifications,
  deleteInviteNotifications,
} from "../../../events/queries/user-notifications.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";
import { removePersonalBelongings } from "./personal-belongings.ts";

/**
 * How many repositories, robots or teams are removed at once with their namespace. A namespace that has more is removed by the job,
 * in steps.
 */
const atOnce = 200;

const keyOf = { image_repository: "id", robot: "account_id", team: "id" } as const;

/** The keys of a namespace's rows in a table; undefined if there are more than {@link atOnce}. */
export async function findFew<Table extends keyof typeof keyOf>(
  db: RegistryDb,
  table: Table,
  { column, id }: { readonly column: string; readonly id: string },
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ readonly key: string }>`
    select ${sql.ref(keyOf[table])} as key from ${sql.table(table)} where ${sql.ref(column)} = ${id}
    limit ${atOnce + 1}`.execute(db);
  return rows.length > atOnce ? undefined : rows.map(({ key }) => key);
}

/** Removes the account of a namespace without repositories, not even deleted ones. @returns false if it has some */
export async function removeIfEmpty(db: RegistryDb, id: string): Promise<boolean> {
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

/** Removes the rows of a namespace besides its repositories: its own resources, and its memberships and grants elsewhere. */
export async function removeBelongings(db: RegistryDb, id: string): Promise<void> {
  await db
    .deleteFrom("account")
    .where("id", "in", (of) => of.selectFrom("robot").select("account_id").where("owner_id", "=", id))
    .execute();
  const teams = await db.selectFrom("team").select("id").where("organization_id", "=", id).execute();
  await deleteInviteNotifications(
    db,
    teams.map((team) => team.id),
  );
  await db.deleteFrom("user_notification").where("about_id", "=", id).execute();
  await deleteAssignmentNotifications(db, { organizationId: id });
  for (const table of ["team", "oauth_application", "prototype", "proxy_cache"] as const) {
    await db.deleteFrom(table).where("organization_id", "=", id).execute();
  }
  for (const table of ["quota", "prune_policy", "event_notification"] as const) {
    await db.deleteFrom(table).where("namespace_id", "=", id).execute();
  }
  await db.deleteFrom("session").where("account_id", "=", id).execute();
  await removePersonalBelongings(db, id);
}

/** Records that a namespace is deleted. The database refuses a second row for the same namespace. */
export async function retireNamespace(db: RegistryDb, namespace: NewRow<"retired_namespace">): Promise<void> {
  await db.insertInto("retired_namespace").values(namespace).execute();
}

/** Removes the name, the e-mail address and the credentials of an account. */
export async function disableAccount(db: RegistryDb, id: string): Promise<void> {
  await db
    .updateTable("account")
    .set((eb) => ({
      username: `:${id}`, // not a valid name in a request
      email: null,
      password_hash: null,
      enabled: 0,
      credential_version: eb("credential_version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}
