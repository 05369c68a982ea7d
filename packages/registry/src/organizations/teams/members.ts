import type { TeamSubject } from "../../access/on-team.ts";
import { accountOf } from "../../access/principal.ts";
import { type AccountRow, findAccount, isTeamMember, lockNamespace } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { noMailer } from "../../ports.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { inviteToTeam } from "./invites.ts";
import { deleteInvites, findTeamInvite } from "./queries/invites.ts";
import { type AdminMembership, findOrganizationMembers, listAdminMemberships } from "./queries/organization-members.ts";
import { addToTeam, findTeamSync, removeFromTeam } from "./queries/teams.ts";

/** An account that was just added to a team, or invited. */
interface AdmittedMember {
  readonly account: AccountRow;
  readonly invited: boolean;
}

/** Adds an account to a team, or invites its user. @throws RegistryError `invalid_request` */
export async function addTeamMember(
  context: CallContext<"org_add_team_member" | "org_invite_team_member">,
  subject: TeamSubject,
  name: string,
): Promise<AdmittedMember> {
  const { db, log } = context;
  const { team } = subject;
  const account = await findAccount(db, name, "user", "robot");
  if (account === undefined) throw invalidRequest("Unknown user");
  if (await isTeamMember(db, team.id, account.id)) throw alreadyIn(name, team.name);
  const admission = await admissionOf(context, subject, account);
  if (admission === "foreign-robot") {
    throw invalidRequest("Cannot add the specified robot to this team, as it is not a member of the organization");
  }
  if (admission === "synced") throw syncedTeam();
  if (admission === "invited") {
    await inviteToTeam(context, subject, { account });
    return { account, invited: true };
  }
  if (!(await addToTeam(db, team.id, account.id))) throw alreadyIn(name, team.name);
  const invite = await findTeamInvite(db, team.id, { accountId: account.id });
  if (invite !== undefined) await deleteInvites(db, [invite.id]);
  await log("org_add_team_member", { member: name, team: team.name });
  return { account, invited: false };
}

async function admissionOf(
  { db, settings, mailer }: CallContext,
  { organization, team }: TeamSubject,
  { id, kind }: AccountRow,
) {
  const members = await findOrganizationMembers(db, organization.id, [id]);
  return admissionToTeam({
    isRobot: kind === "robot",
    isOrganizationMember: members.has(id),
    isSynced: (await findTeamSync(db, team.id)) !== undefined,
    requiresInvite: settings.features.requireTeamInvite && mailer !== noMailer,
  });
}

function alreadyIn(name: string, team: string) {
  return invalidRequest(`User ${name} is already a member of team ${team}`);
}

/** The error for a change to the members of a synchronized team. */
export function syncedTeam() {
  return invalidRequest("Cannot call this method on an auth-synced team");
}

/** Withdraws the invite of an account or, without an invite, removes the account from a team. @throws RegistryError `not_found`, `invalid_request` */
export async function removeTeamMember(
  context: CallContext<"org_delete_team_member_invite" | "org_remove_team_member">,
  subject: TeamSubject,
  name: string,
): Promise<void> {
  const { db, log } = context;
  const { team } = subject;
  const account = await findAccount(db, name, "user", "robot");
  if (account === undefined) throw notFound(`There is no user or robot ${name}`);
  const invite = await findTeamInvite(db, team.id, { accountId: account.id });
  if (invite !== undefined) {
    await deleteInvites(db, [invite.id]);
    return log("org_delete_team_member_invite", { user: name, team: team.name, member: name });
  }
  if (account.kind === "user" && (await findTeamSync(db, team.id)) !== undefined) throw syncedTeam();
  await checkAdminsStay(context, subject, account);
  if (!(await removeFromTeam(db, team.id, account.id))) {
    throw invalidRequest(`User ${name} does not belong to team ${team.name}`);
  }
  await log("org_remove_team_member", { member: name, team: team.name });
}

async function checkAdminsStay(
  { db, principal }: CallContext,
  { organization, team }: TeamSubject,
  { id, username }: AccountRow,
): Promise<void> {
  const loss = { teamId: team.id, accountId: id };
  const verdict = await judgeLossNow(db, organization.id, { loss, callerId: accountOf(principal)?.id });
  if (verdict === "not-the-caller") {
    throw invalidRequest("User cannot remove themselves from their only admin team.");
  }
  if (verdict === "no-admin") {
    throw invalidRequest(`Cannot remove ${username}: no administrator of ${organization.username} would be left`);
  }
}

/** The facts that decide how an account is added to a team. */
interface TeamCandidate {
  readonly isRobot: boolean;
  /** Whether the account is in a team of the organization, or is a robot of it. */
  readonly isOrganizationMember: boolean;
  /** Whether the team's users come from a directory. */
  readonly isSynced: boolean;
  /** Whether users must consent before they are added to a team. */
  readonly requiresInvite: boolean;
}

/** How an account is added to a team: at once, by an invite, or not at all. */
type TeamAdmission = "added" | "invited" | "foreign-robot" | "synced";

/** Decides how an account is added. Robots can only join teams of their own organization, and users of synced teams come from the directory. */
export function admissionToTeam(candidate: TeamCandidate): TeamAdmission {
  const { isRobot, isOrganizationMember, isSynced, requiresInvite } = candidate;
  if (isRobot) return isOrganizationMember ? "added" : "foreign-robot";
  if (isSynced) return "synced";
  return requiresInvite && !isOrganizationMember ? "invited" : "added";
}

/** The memberships to remove: all of a team, an account's in one team, or an account's in all teams. */
export type AdminLoss =
  | { readonly teamId: string; readonly accountId?: never }
  | { readonly teamId: string; readonly accountId: string }
  | { readonly teamId?: never; readonly accountId: string };

/** The administrators after a loss: enough, none, or others without the caller. */
type AdminVerdict = "enough" | "no-admin" | "not-the-caller";

/**
 * Judges a loss by the administrators that remain. An organization must keep at least one, and callers must not end their own role as
 * administrator by a change to a team.
 */
export function judgeAdminLoss(
  memberships: readonly AdminMembership[],
  loss: AdminLoss,
  callerId?: string,
): AdminVerdict {
  const left = memberships.filter((each) => !isLost(each, loss));
  if (left.length === memberships.length) return "enough";
  if (left.length === 0) return "no-admin";
  const isCaller = ({ accountId }: AdminMembership) => accountId === callerId;
  return memberships.some(isCaller) && !left.some(isCaller) ? "not-the-caller" : "enough";
}

function isLost(membership: AdminMembership, { teamId, accountId }: AdminLoss): boolean {
  return (
    (teamId === undefined || teamId === membership.teamId) &&
    (accountId === undefined || accountId === membership.accountId)
  );
}

/** Judges a loss by the current administrators of the organization. Locks the organization until the transaction ends. */
export async function judgeLossNow(
  db: RegistryDb,
  organizationId: string,
  { loss, callerId }: { readonly loss: AdminLoss; readonly callerId?: string | undefined },
): Promise<AdminVerdict> {
  await lockNamespace(db, organizationId);
  return judgeAdminLoss(await listAdminMemberships(db, organizationId), loss, callerId);
}
