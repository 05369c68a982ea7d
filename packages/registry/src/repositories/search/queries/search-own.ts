import type { AccountRow } from "../../../access/queries/accounts.ts";
import { afterPrefix } from "../../../store/prefixes.ts";
import type { AccountKind } from "../../../store/tables/accounts.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** A search for teams and robots of an account. */
export interface OwnSearch {
  readonly accountId: string;
  /** Whether the account's own namespace is searched. */
  readonly inOwn: boolean;
  /** Whether the organizations that the account administers are searched. */
  readonly inAdministered: boolean;
  readonly prefix: string;
  readonly limit: number;
}

/** A team that was found, and its organization. */
export interface FoundTeam {
  readonly id: string;
  readonly name: string;
  readonly organization: Pick<AccountRow, "kind" | "username" | "email">;
}

/** The teams whose names begin with a text, among those that an account is in and those that it may administer. */
export async function searchOwnTeams(
  db: RegistryDb,
  { accountId, inAdministered, prefix, limit }: Omit<OwnSearch, "inOwn">,
): Promise<readonly FoundTeam[]> {
  const memberships = db.selectFrom("team_member").select("team_id").where("account_id", "=", accountId);
  const rows = await db
    .selectFrom("team")
    .innerJoin("account", "account.id", "team.organization_id")
    .select(["team.id", "team.name", "account.kind", "account.username", "account.email"])
    .where("team.name", ">=", prefix)
    .where("team.name", "<", afterPrefix(prefix))
    .where((where) =>
      where.or([
        where("team.id", "in", memberships),
        ...(inAdministered ? [where("team.organization_id", "in", administeredBy(db, accountId))] : []),
      ]),
    )
    .orderBy("team.name")
    .orderBy("account.username")
    .limit(limit)
    .execute();
  return rows.map(({ id, name, ...organization }) => ({ id, name, organization }));
}

/** A robot that was found, and its owner. */
export interface FoundRobot {
  readonly username: string;
  readonly short_name: string;
  readonly owner: string;
  readonly ownerKind: AccountKind;
}

/** The robots whose short names begin with a text, among those that an account may administer. */
export async function searchOwnRobots(
  db: RegistryDb,
  { accountId, inOwn, inAdministered, prefix, limit }: OwnSearch,
): Promise<readonly FoundRobot[]> {
  return db
    .selectFrom("robot")
    .innerJoin("account", "account.id", "robot.account_id")
    .innerJoin("account as owner", "owner.id", "robot.owner_id")
    .select(["account.username", "robot.short_name", "owner.kind as ownerKind", "owner.username as owner"])
    .where("robot.short_name", ">=", prefix)
    .where("robot.short_name", "<", afterPrefix(prefix))
    .where((where) =>
      where.or([
        ...(inOwn ? [where("robot.owner_id", "=", accountId)] : []),
        ...(inAdministered ? [where("robot.owner_id", "in", administeredBy(db, accountId))] : []),
      ]),
    )
    .orderBy("robot.short_name")
    .orderBy("account.username")
    .limit(limit)
    .execute();
}

function administeredBy(db: RegistryDb, accountId: string) {
  return db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .select("team.organization_id")
    .where("team_member.account_id", "=", accountId)
    .where("team.role", "=", "admin");
}
