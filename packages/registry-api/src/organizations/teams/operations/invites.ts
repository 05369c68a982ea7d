import { onSelf } from "@plimsoll/registry/access/on-account";
import { onTeam, type TeamSubject } from "@plimsoll/registry/access/on-team";
import { noMail, notFound } from "@plimsoll/registry/errors";
import { acceptInvite, declineInvite, inviteToTeam } from "@plimsoll/registry/organizations/teams/invites";
import { syncedTeam } from "@plimsoll/registry/organizations/teams/members";
import { deleteInvites, findTeamInvite } from "@plimsoll/registry/organizations/teams/queries/invites";
import { findTeamSync } from "@plimsoll/registry/organizations/teams/queries/teams";
import { checkEmailAddress } from "@plimsoll/registry/values/names";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";
import { InvitedEmail, invitedEmailView } from "../views.ts";

const shared = { tag: "team", internal: true } as const;

const invite = operation({
  ...shared,
  id: "inviteTeamMemberEmail",
  keeps: "invites",
  audit: ["org_invite_team_member"],
  method: "PUT",
  path: "/organization/{orgname}/team/{teamname}/invite/{email}",
  summary: "Invite the owner of an e-mail address to a team.",
  access: onTeam(),
  success: 200,
  result: InvitedEmail,
  async handle({ subject, params }, context) {
    const email = params.email.toLowerCase();
    await checkInvitable(context, subject, email);
    await inviteToTeam(context, subject, { email });
    return invitedEmailView(email);
  },
});

async function checkInvitable({ db, mailer }: OperationContext, { team }: TeamSubject, email: string): Promise<void> {
  if (mailer === undefined) throw noMail();
  if ((await findTeamSync(db, team.id)) !== undefined) throw syncedTeam();
  checkEmailAddress(email);
}

const uninvite = operation({
  ...shared,
  id: "deleteTeamMemberEmailInvite",
  audit: ["org_delete_team_member_invite"],
  method: "DELETE",
  path: "/organization/{orgname}/team/{teamname}/invite/{email}",
  summary: "Withdraw the request for consent of an email address.",
  access: onTeam(),
  success: 204,
  async handle({ subject: { team }, params }, { db, mailer, log }) {
    const email = params.email.toLowerCase();
    const pending = mailer && (await findTeamInvite(db, team.id, { email }));
    if (pending === undefined) throw notFound(`${email} has no invitation to the team`);
    await deleteInvites(db, [pending.id]);
    await log("org_delete_team_member_invite", { email, team: team.name, member: email });
  },
});

const accept = operation({
  ...shared,
  id: "acceptOrganizationTeamInvite",
  audit: ["org_team_member_invite_accepted"],
  method: "PUT",
  path: "/teaminvite/{code}",
  secretParams: ["code"],
  summary: "Join a team, and every other of the organization that the caller was asked to join.",
  access: onSelf("user:admin"),
  success: 200,
  result: Type.Object({ org: Type.String(), team: Type.String() }),
  async handle({ subject, params }, context) {
    const { organization: org, team } = await acceptInvite(context, subject.account, params.code);
    return { org, team };
  },
});

const decline = operation({
  ...shared,
  id: "declineOrganizationTeamInvite",
  audit: ["org_team_member_invite_declined"],
  method: "DELETE",
  path: "/teaminvite/{code}",
  secretParams: ["code"],
  summary: "Do not join a team.",
  access: onSelf("user:admin"),
  success: 204,
  handle: async ({ subject, params }, context) => declineInvite(context, subject.account, params.code),
});

/** Operations on invites to teams. */
export const teamInviteOperations = [invite, uninvite, accept, decline];
