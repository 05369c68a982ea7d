import { compileOnce, type Parameter } from "@plimsoll/store";
import type { AccountRow } from "../access/queries/accounts.ts";
import type { TeamRole } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** An organization that a user is in a team of. */
export interface UserOrganization extends Pick<AccountRow, "id" | "username" | "email"> {
  readonly roles: readonly TeamRole[];
}

/** The organizations that a user is in teams of, by name. */
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
