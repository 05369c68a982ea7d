import type { TeamSubject } from "../access/on-team.ts";
import type { OperationContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { beforeOldest } from "../lists/read-from.ts";
import type { Directory } from "../ports/identities.ts";
import type { Ports } from "../ports.ts";
import { readLength, readPages } from "../store/bounded-reads.ts";
import { judgeLossNow } from "./last-admin.ts";
import { deleteInvites, listTeamInvites } from "./queries/invites.ts";
import { deleteTeamSync, insertTeamSync } from "./queries/sync.ts";
import { gatherTeamMembers, removeFromTeam } from "./queries/teams.ts";

/** The group that a team is to follow, as a request names it. */
export interface WantedGroup {
  /** In the directory. */
  readonly group_dn?: string;
  /** Of an identity provider. */
  readonly group_name?: string;
  /** The identity provider, where there are several. */
  readonly service?: string;
}

/** A group that a team can follow. */
export interface FollowedGroup {
  readonly service: string;
  readonly config: { readonly group_dn: string } | { readonly group_name: string };
}

/**
 * The group that a team is to follow: one that exists in the directory, or the name of one of an identity provider, which tells the
 * groups of a user when the user signs in.
 * @throws RegistryError `invalid_request`, `downstream_issue`
 */
export async function checkGroup(context: OperationContext, wanted: WantedGroup): Promise<FollowedGroup> {
  const { directory } = context.ports;
  const isOfProvider = wanted.group_name !== undefined || wanted.service !== undefined;
  if (directory !== undefined && !isOfProvider) return checkDirectoryGroup(context, directory, wanted.group_dn);
  const service = chooseProvider(context, wanted.service);
  if (!wanted.group_name) throw cannotSync("Missing group_name");
  return { service, config: { group_name: wanted.group_name } };
}

async function checkDirectoryGroup(
  { request }: OperationContext,
  { service, listGroup }: Directory,
  group_dn: string | undefined,
): Promise<FollowedGroup> {
  if (group_dn === undefined || group_dn === "") throw cannotSync("Missing group_dn");
  const names = await listGroup(group_dn, { signal: request.signal });
  if (names === undefined || names.length === 0) throw cannotSync("Group does not exist or is empty");
  return { service, config: { group_dn } };
}

function chooseProvider({ ports }: OperationContext, wanted: string | undefined): string {
  const services = groupProviders(ports);
  if (services.length === 0) throw cannotSync("Not supported");
  if (wanted !== undefined && services.includes(wanted)) return wanted;
  const [only, ...others] = services;
  if (wanted !== undefined || only === undefined || others.length > 0) {
    throw cannotSync(`expected service to be one of ${services.join(", ")}`);
  }
  return only;
}

/** The identity providers that tell groups. */
export function groupProviders({ identityProviders = [] }: Pick<Ports, "identityProviders">): readonly string[] {
  return identityProviders.filter(({ tellsGroups }) => tellsGroups).map(({ service }) => service);
}

function cannotSync(reason: string) {
  return invalidRequest(`Could not sync to group: ${reason}`);
}

/**
 * Synchronizes a team with a group. Invites to the team end. Where the group is of an identity provider the users of the team leave
 * it, but for the last administrator of the organization: each comes back who signs in and is in the group.
 * @throws RegistryError `invalid_request`
 */
export async function enableTeamSync(
  { db, log }: OperationContext<"enable_team_sync" | "org_remove_team_member">,
  { team, organization }: TeamSubject,
  { service, config }: FollowedGroup,
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
  { db, log }: OperationContext<"disable_team_sync">,
  { team }: TeamSubject,
): Promise<void> {
  const wasSynced = await deleteTeamSync(db, team.id);
  if (wasSynced) await log("disable_team_sync", { team: team.name });
}
