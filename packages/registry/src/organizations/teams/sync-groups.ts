import { anonymous } from "../../access/principal.ts";
import type { AccountRow } from "../../access/queries.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { LogKind } from "../../values/log-kinds.ts";
import { judgeLossNow } from "./last-admin.ts";
import { addToTeam, type GroupTeam, listGroupTeams, markSynced, removeFromTeam } from "./queries/teams.ts";

/** A user of an identity provider, with their groups. */
export interface GroupMember {
  readonly account: AccountRow;
  readonly service: string;
  /** The names of the user's groups at the provider. */
  readonly groups: readonly string[];
  readonly now: number;
}

/**
 * Adds a user to the teams that are synchronized with groups of their provider, and removes them from those whose groups they have
 * left. The last administrator of an organization stays.
 */
export async function syncGroups(db: RegistryDb, member: GroupMember): Promise<void> {
  const { account, service, groups, now } = member;
  const wanted = new Set(groups);
  for (const team of await listGroupTeams(db, service, account.id)) {
    const { group_name } = JSON.parse(team.config) as { readonly group_name?: string };
    const belongs = group_name !== undefined && wanted.has(group_name);
    const isMember = team.member_id !== null;
    if (belongs === isMember) continue;
    const hasChanged = belongs ? await join(db, team, member) : await leave(db, team, member);
    if (hasChanged) await markSynced(db, team.id, now);
  }
}

async function join(db: RegistryDb, team: GroupTeam, member: GroupMember): Promise<boolean> {
  const isNew = await addToTeam(db, team.id, member.account.id);
  if (isNew) await log(db, "org_add_team_member", { team, ...member });
  return isNew;
}

async function leave(db: RegistryDb, team: GroupTeam, member: GroupMember): Promise<boolean> {
  const { id: accountId } = member.account;
  const verdict = await judgeLossNow(db, team.organization_id, { loss: { teamId: team.id, accountId } });
  const hasLeft = verdict === "enough" && (await removeFromTeam(db, team.id, accountId));
  if (hasLeft) await log(db, "org_remove_team_member", { team, ...member });
  return hasLeft;
}

async function log(
  db: RegistryDb,
  kind: LogKind,
  { team, account, now }: GroupMember & { readonly team: GroupTeam },
): Promise<void> {
  const metadata = { member: account.username, team: team.name };
  await writeUsageLog(db, { kind, metadata, namespaceId: team.organization_id, principal: anonymous, at: now });
}
