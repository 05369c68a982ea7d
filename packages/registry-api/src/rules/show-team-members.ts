import type { Static } from "typebox";
import { maySyncTeams, type TeamSubject } from "../access/on-team.ts";
import type { OperationContext } from "../context.ts";
import { listTeamInvites } from "../store/team-invites.ts";
import { findTeamSync, listTeamMembers } from "../store/teams.ts";
import { formatOptionalDate } from "../views/dates.ts";
import { invitedEmailView, type TeamMembers, teamMemberView } from "../views/team.ts";

/** Shows who is in a team, who was asked to join it, if that is to be seen, and where its members come from. */
export async function showTeamMembers(
  context: OperationContext,
  { team, mayEdit }: TeamSubject,
  includePending: boolean,
): Promise<Static<typeof TeamMembers>> {
  const { db, settings, ports } = context;
  const confirmed = (await listTeamMembers(db, team.id)).map((account) => teamMemberView(account, false));
  const pending = includePending && mayEdit ? await showInvites(context, team.id) : [];
  const canSync = settings.features.teamSync && mayEdit && maySyncTeams(context);
  return {
    name: team.name,
    members: [...confirmed, ...pending],
    can_edit: mayEdit,
    ...(canSync && ports.directory && { can_sync: { service: ports.directory.service } }),
    ...(settings.features.teamSync && (await showSync(context, team.id))),
  };
}

async function showInvites({ db }: OperationContext, teamId: string) {
  const invites = await listTeamInvites(db, teamId);
  return invites.map(({ username, kind, email, account_email }) =>
    username === null || kind === null
      ? invitedEmailView(email ?? "")
      : teamMemberView({ username, kind, email: account_email }, true),
  );
}

async function showSync(context: OperationContext, teamId: string) {
  const sync = await findTeamSync(context.db, teamId);
  if (sync === undefined) return {};
  const { service, synced_at, config } = sync;
  if (!maySyncTeams(context)) return { synced: { service } };
  return {
    synced: {
      service,
      last_updated: formatOptionalDate(synced_at),
      config: JSON.parse(config) as { readonly group_dn: string },
    },
  };
}
