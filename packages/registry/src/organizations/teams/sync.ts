import type { TeamSubject } from "../../access/on-team.ts";
import { anonymous } from "../../access/principal.ts";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest } from "../../errors.ts";
import { beforeOldest } from "../../lists/list-pages.ts";
import { type Directory, noDirectory } from "../../ports/identities.ts";
import type { Ports } from "../../ports.ts";
import { readLength, readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { LogKind } from "../../values/log-kinds.ts";
import { lowerLetters } from "../../values/names.ts";
import { judgeLossNow } from "./members.ts";
import { deleteInvites, listTeamInvites } from "./queries/invites.ts";
import {
  addToTeam,
  deleteTeamSync,
  type GroupTeam,
  gatherTeamMembers,
  insertTeamSync,
  listGroupTeams,
  markSynced,
  removeFromTeam,
} from "./queries/teams.ts";

/** The group in a request to synchronize a team. */
interface WantedGroup {
  /** The distinguished name of a group in the directory. */
  readonly group_dn?: string;
  /** The name of a group at an identity provider. */
  readonly group_name?: string;
  /** The identity provider, if there are several. */
  readonly service?: string;
}

/** A checked group with which a team can be synchronized. */
interface CheckedGroup {
  readonly service: string;
  readonly config: { readonly group_dn: string } | { readonly group_name: string };
}

/**
 * Checks the group of a request. A group of the directory must exist. The groups of an identity provider are only known for users who
 * sign in, so only the provider is checked.
 * @throws RegistryError `invalid_request`, `downstream_issue`
 */
export async function checkGroup(context: CallContext, wanted: WantedGroup): Promise<CheckedGroup> {
  const { directory } = context;
  const isOfProvider = wanted.group_name !== undefined || wanted.service !== undefined;
  if (directory !== noDirectory && !isOfProvider) return checkDirectoryGroup(context, directory, wanted.group_dn);
  const service = chooseProvider(context, wanted.service);
  if (!wanted.group_name) throw cannotSync("Missing group_name");
  return { service, config: { group_name: wanted.group_name } };
}

async function checkDirectoryGroup(
  { caller }: CallContext,
  { service, listGroup }: Directory,
  group_dn: string | undefined,
): Promise<CheckedGroup> {
  if (group_dn === undefined || group_dn === "") throw cannotSync("Missing group_dn");
  const names = await listGroup(group_dn, { signal: caller.signal });
  if (names === undefined || names.length === 0) throw cannotSync("Group does not exist or is empty");
  return { service, config: { group_dn } };
}

function chooseProvider(context: CallContext, wanted: string | undefined): string {
  const services = groupProviders(context);
  if (services.length === 0) throw cannotSync("Not supported");
  if (wanted !== undefined && services.includes(wanted)) return wanted;
  const [only, ...others] = services;
  if (wanted !== undefined || only === undefined || others.length > 0) {
    throw cannotSync(`expected service to be one of ${services.join(", ")}`);
  }
  return only;
}

/** The services of the identity providers that provide groups. */
export function groupProviders({ identityProviders }: Pick<Ports, "identityProviders">): readonly string[] {
  return identityProviders.filter(({ providesGroups }) => providesGroups).map(({ service }) => service);
}

function cannotSync(reason: string) {
  return invalidRequest(`Could not sync to group: ${reason}`);
}

/**
 * Synchronizes a team with a group. Deletes the invites to the team. For a group of an identity provider, also removes the users of the
 * team except the last administrator of the organization: users in the group are added when they sign in.
 * @throws RegistryError `invalid_request`
 */
export async function enableTeamSync(
  { db, log }: CallContext<"enable_team_sync" | "org_remove_team_member">,
  { team, organization }: TeamSubject,
  { service, config }: CheckedGroup,
): Promise<void> {
  const isNew = await insertTeamSync(db, {
    team_id: team.id,
    service,
    config: JSON.stringify(config),
    synced_at: null,
  });
  if (!isNew) throw cannotSync("The team is synced already");
  const invites = readPages<{ readonly id: string }>(() =>
    listTeamInvites(db, team.id, { after: beforeOldest, limit: readLength }),
  );
  for await (const some of invites) {
    await deleteInvites(
      db,
      some.map(({ id }) => id),
    );
  }
  await log("enable_team_sync", { team: team.name });
  if ("group_dn" in config) return;
  for (const { id, kind, username } of await gatherTeamMembers(db, team.id)) {
    if (kind !== "user") continue;
    const verdict = await judgeLossNow(db, organization.id, { loss: { teamId: team.id, accountId: id } });
    if (verdict === "enough" && (await removeFromTeam(db, team.id, id))) {
      await log("org_remove_team_member", { member: username, team: team.name });
    }
  }
}

/** Ends the synchronization of a team; it keeps its members. */
export async function disableTeamSync(
  { db, log }: CallContext<"disable_team_sync">,
  { team }: TeamSubject,
): Promise<void> {
  const wasSynced = await deleteTeamSync(db, team.id);
  if (wasSynced) await log("disable_team_sync", { team: team.name });
}

/** A user in a team. */
interface SyncedMember {
  readonly id: string;
  readonly username: string;
}

/** The users who must join a team, and the members who must leave it. */
interface MembershipChanges {
  readonly join: readonly string[];
  readonly leave: readonly SyncedMember[];
}

/** Compares the users of a team with those of a group. Names of the group are converted to lower case. */
export function membershipChanges(members: readonly SyncedMember[], group: readonly string[]): MembershipChanges {
  const wanted = new Set(group.map(lowerLetters));
  const present = new Set(members.map(({ username }) => username));
  return {
    join: [...wanted].filter((name) => !present.has(name)),
    leave: members.filter(({ username }) => !wanted.has(username)),
  };
}

/** A user of an identity provider, with their groups. */
interface GroupMember {
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
