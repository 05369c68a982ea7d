import { randomUUID } from "node:crypto";
import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { AccountRow } from "../access/queries.ts";
import type { TeamRole } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** An organization of which a user is a team member. */
export interface UserOrganization extends Pick<AccountRow, "id" | "username" | "email"> {
  readonly roles: readonly TeamRole[];
}

/** The organizations of which a user is a team member, by name. */
export async function listUserOrganizations(db: RegistryDb, accountId: string): Promise<readonly UserOrganization[]> {
  const rows = await listOrganizationTeams(db, { accountId });
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((teams) => {
    const [first] = teams;
    return first === undefined ? [] : [{ ...first, roles: teams.map(({ role }) => role) }];
  });
}

const listOrganizationTeams = compileOnce((db: RegistryDb, parameter: Parameter<{ accountId: string }>) =>
  db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .innerJoin("account", "account.id", "team.organization_id")
    .select(["account.id", "account.username", "account.email", "team.role"])
    .where("team_member.account_id", "=", parameter("accountId"))
    .where("account.enabled", "=", 1)
    .orderBy("account.username"),
);

/** Removes an account from the teams of an organization, and deletes its roles on the repositories. @returns false if it had none */
export async function deleteMemberships(db: RegistryDb, organizationId: string, accountId: string): Promise<boolean> {
  const memberships = await db
    .deleteFrom("team_member")
    .where("account_id", "=", accountId)
    .where("team_id", "in", (of) => of.selectFrom("team").select("id").where("organization_id", "=", organizationId))
    .executeTakeFirst();
  const grants = await db
    .deleteFrom("account_permission")
    .where("account_id", "=", accountId)
    .where("repository_id", "in", (of) =>
      of.selectFrom("image_repository").select("id").where("namespace_id", "=", organizationId),
    )
    .executeTakeFirst();
  return memberships.numDeletedRows + grants.numDeletedRows > 0n;
}

/** Creates the team `owners` of an organization, or sets its role to `admin` again. @returns its id */
export async function putOwners(db: RegistryDb, { id: organization_id, created_at }: AccountRow): Promise<string> {
  const owners = { name: "owners", role: "admin", description: "" } as const;
  const { id } = await db
    .insertInto("team")
    .values({ id: randomUUID(), organization_id, ...owners, created_at })
    .onConflict((conflict) => conflict.columns(["organization_id", "name"]).doUpdateSet({ role: "admin" }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Renames an account. The database refuses a name that is taken. */
export async function renameAccount(db: RegistryDb, id: string, name: string): Promise<void> {
  await db.updateTable("account").set({ username: name }).where("id", "=", id).execute();
}

/** Renames the robots of an organization, so that their names begin with its own. */
export async function renameRobots(db: RegistryDb, ownerId: string, name: string): Promise<void> {
  await sql`update account
    set username = ${name} || '+' || (select short_name from robot where robot.account_id = account.id)
    where id in (select account_id from robot where owner_id = ${ownerId})`.execute(db);
}
