import { maySyncTeams, type TeamSubject } from "@plimsoll/registry/access/on-team";
import type { CallContext } from "@plimsoll/registry/context";
import { byName, type ListPageQuery, type ReadFrom, readListPage } from "@plimsoll/registry/lists/list-pages";
import { oldestInvite } from "@plimsoll/registry/organizations/teams/invites";
import { listTeamInvites } from "@plimsoll/registry/organizations/teams/queries/invites";
import { findTeamSync, listTeamMembers } from "@plimsoll/registry/organizations/teams/queries/teams";
import { groupProviders } from "@plimsoll/registry/organizations/teams/sync";
import { noDirectory } from "@plimsoll/registry/ports/identities";
import { formatOptionalDate } from "@plimsoll/registry/values/dates";
import type { Static } from "typebox";
import { type InvitedEmail, invitedEmailView, type TeamMember, type TeamMembers, teamMemberView } from "./views.ts";

/** The query of a list of a team's members. */
export interface TeamMembersQuery extends ListPageQuery {
  readonly includePending?: boolean;
}

/** A page of the members of a team, with the invitees if the caller may see them, and the synchronization of the team. */
export async function showTeamMembers(
  context: CallContext,
  { team, mayEdit }: TeamSubject,
  { includePending = false, ...query }: TeamMembersQuery,
): Promise<Static<typeof TeamMembers>> {
  const { settings, directory } = context;
  const list = { list: "team members", ownerId: team.id, query, first: ["", "", ""], keyOf } as const;
  const { rows, ...next } = await readListPage<ListedMember, MemberKey>(context, list, (from) =>
    listMembers(context, { teamId: team.id, showsInvites: includePending && mayEdit }, from),
  );
  const confirmed = rows.filter(({ key: [part] }) => part === "in");
  const invited = rows.filter(({ key: [part] }) => part === "invited");
  const canSync = settings.features.teamSync && mayEdit && maySyncTeams(context);
  const service = directory === noDirectory ? groupProviders(context)[0] : directory.service;
  return {
    name: team.name,
    members: [...byName(confirmed, ({ name }) => name), ...invited].map(({ view }) => view),
    ...next,
    can_edit: mayEdit,
    can_sync: canSync && service !== undefined ? { service } : undefined,
    ...(settings.features.teamSync && (await showSync(context, team.id))),
  };
}

/** The key of a member or an invitee. Members come before invitees. */
type MemberKey =
  | readonly [part: "in", accountId: string]
  | readonly [part: "invited", createdAt: number, id: string]
  | readonly ["", "", ""];

interface ListedMember {
  readonly key: MemberKey;
  readonly name: string;
  readonly view: TeamMember | InvitedEmail;
}

function keyOf({ key }: ListedMember): MemberKey {
  return key;
}

async function listMembers(
  { db, now }: CallContext,
  { teamId, showsInvites }: { readonly teamId: string; readonly showsInvites: boolean },
  { after, limit }: ReadFrom<MemberKey>,
): Promise<readonly ListedMember[]> {
  const isInvited = after[0] === "invited";
  const members = isInvited ? [] : await listTeamMembers(db, teamId, { after: [after[1]], limit });
  const confirmed = members.map(
    (account): ListedMember => ({
      key: ["in", account.id],
      name: account.username,
      view: teamMemberView(account, { invited: false }),
    }),
  );
  const left = limit - confirmed.length;
  if (!showsInvites || left === 0) return confirmed;
  const from = isInvited ? ([after[1], after[2]] as const) : ([oldestInvite(now), ""] as const);
  const invites = await listTeamInvites(db, teamId, { after: from, limit: left });
  return [...confirmed, ...invites.map(invitedMember)];
}

function invitedMember(invite: Awaited<ReturnType<typeof listTeamInvites>>[number]): ListedMember {
  const { id, created_at, username, kind, email, account_email } = invite;
  const isEmail = username === null || kind === null;
  return {
    key: ["invited", created_at, id],
    name: username ?? email ?? "",
    view: isEmail
      ? invitedEmailView(email ?? "")
      : teamMemberView({ username, kind, email: account_email }, { invited: true }),
  };
}

async function showSync(context: CallContext, teamId: string) {
  const sync = await findTeamSync(context.db, teamId);
  if (sync === undefined) return {};
  const { service, synced_at, config } = sync;
  if (!maySyncTeams(context)) return { synced: { service } };
  return {
    synced: {
      service,
      last_updated: formatOptionalDate(synced_at),
      config: JSON.parse(config) as { readonly group_dn?: string; readonly group_name?: string },
    },
  };
}
