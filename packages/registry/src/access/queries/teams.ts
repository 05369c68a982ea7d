import type { Selectable } from "kysely";
import type { TeamTable } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isNamespaceName } from "../../values/names.ts";

/** A team as it is stored. */
export type TeamRow = Selectable<TeamTable>;

/** The team of that name in an organization. */
export async function findTeam(db: RegistryDb, organizationId: string, name: string): Promise<TeamRow | undefined> {
  if (!isNamespaceName(name)) return undefined;
  return db
    .selectFrom("team")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Whether an account is in a team. */
export async function isTeamMember(db: RegistryDb, teamId: string, accountId: string): Promise<boolean> {
  const member = await db
    .selectFrom("team_member")
    .select("account_id")
    .where("team_id", "=", teamId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return member !== undefined;
}
