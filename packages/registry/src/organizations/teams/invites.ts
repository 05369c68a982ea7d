import { randomUUID } from "node:crypto";
import type { TeamSubject } from "../../access/on-team.ts";
import { accountOf } from "../../access/principal.ts";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { insertNotifications } from "../../events/queries/notifications.ts";
import { queueMail } from "../../mail/jobs.ts";
import { noMailer } from "../../ports.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import {
  deleteInvites,
  deleteInvitesBefore,
  findInviteByEmail,
  findTeamInvite,
  insertTeamInvite,
  listInvitesOf,
  type NamedInvite,
  type TeamInviteRow,
} from "./queries/invites.ts";
import { addToTeam } from "./queries/teams.ts";

/** The invited person: an account, or the owner of an e-mail address. */
export type Invitee = { readonly account: AccountRow } | { readonly email: string };

const dayMs = 86_400_000;

/** For how many days an invite can be accepted. */
const inviteDays = 30;

/** How long an expired invite is kept, so that a user who accepts it gets the reason. */
const keptMs = 7 * dayMs;

/** The earliest creation time of an invite that can still be accepted. */
export function oldestInvite(now: number): number {
  return now - inviteDays * dayMs;
}

/** The code with which an invite is accepted or declined. */
export function inviteCode(id: string): string {
  return `urn:teaminvite:${id}`;
}

/** Whether a code is that of an invite to an e-mail address. It proves that the user has received mail at the address. */
export async function isInvitedByEmail(
  db: RegistryDb,
  { code, email, now }: { readonly code: string | undefined; readonly email: string | undefined; readonly now: number },
): Promise<boolean> {
  if (!code?.startsWith(inviteCode("")) || !email) return false;
  const invite = await findInviteByEmail(db, { id: code.slice(inviteCode("").length), email });
  return invite !== undefined && invite.created_at >= oldestInvite(now);
}

/** Deletes invites that expired more than a week ago. */
export async function deleteOldInvites(db: RegistryDb, now: number): Promise<void> {
  await deleteInvitesBefore(db, oldestInvite(now) - keptMs);
}

/** Invites an account or an e-mail address to a team: with a notification to the account, and by e-mail. A repeated call changes nothing. */
export async function inviteToTeam(
  context: CallContext<"org_invite_team_member">,
  subject: TeamSubject,
  invitee: Invitee,
): Promise<void> {
  const account = "account" in invitee ? invitee.account : undefined;
  const email = "email" in invitee ? invitee.email.toLowerCase() : undefined;
  const id = await insertInvite(context, subject, { account_id: account?.id ?? null, email: email ?? null });
  if (id === undefined) return;
  if (account !== undefined) await notify(context, subject, { id, account });
  await mailInvite(context, subject, { id, to: account?.email ?? email });
  const member = account?.username ?? email;
  const metadata = { ...(account ? { user: member } : { email }), member, team: subject.team.name };
  await context.log("org_invite_team_member", metadata);
}

/** Stores an invite, in place of an expired one. @returns undefined if the invitee has a valid one */
async function insertInvite(
  { db, now, principal }: CallContext,
  { team }: TeamSubject,
  invitee: Pick<TeamInviteRow, "account_id" | "email">,
): Promise<string | undefined> {
  const { account_id: accountId, email } = invitee;
  const earlier = await findTeamInvite(db, team.id, accountId === null ? { email: email ?? "" } : { accountId });
  if (earlier !== undefined && earlier.created_at < oldestInvite(now)) await deleteInvites(db, [earlier.id]);
  const inviter_id = accountOf(principal)?.id ?? "";
  return insertTeamInvite(db, { id: randomUUID(), team_id: team.id, ...invitee, inviter_id, created_at: now });
}

async function notify(
  { db, now, principal }: CallContext,
  { organization, team }: TeamSubject,
  { id, account }: { readonly id: string; readonly account: AccountRow },
): Promise<void> {
  const inviter = accountOf(principal)?.username;
  const metadata = { code: inviteCode(id), inviter, org: organization.username, team: team.name };
  const row = { id, account_id: account.id, kind: "org_team_invite", dismissed: 0, created_at: now } as const;
  await insertNotifications(db, [{ ...row, metadata: JSON.stringify(metadata) }]);
}

async function mailInvite(
  context: CallContext,
  { organization, team }: TeamSubject,
  { id, to }: { readonly id: string; readonly to: string | undefined },
): Promise<void> {
  if (to === undefined) return;
  const { settings, principal, pageAddress } = context;
  const address = pageAddress({ kind: "invite", code: inviteCode(id) });
  await queueMail(context, {
    to,
    subject: `${accountOf(principal)?.username} invites you to the team ${team.name} of ${organization.username}`,
    text: `You are invited to the team ${team.name} of the organization ${organization.username} at ${settings.title}.\n\nTo join it, open ${address}\n\nThe invite ends after ${inviteDays} days.\n`,
  });
}

/**
 * The invite of a user with a code.
 * @throws RegistryError `invalid_request` if it is not theirs, was answered already, or has expired
 */
export async function getInvite(
  { db, now }: Pick<CallContext, "db" | "now">,
  account: AccountRow,
  code: string,
): Promise<NamedInvite> {
  return currentInvite(await listInvitesOf(db, account), { code, now });
}

/** The invites that a user can accept now. */
export async function currentInvitesOf(db: RegistryDb, account: AccountRow, now: number): Promise<NamedInvite[]> {
  const invites = await listInvitesOf(db, account);
  return invites.filter(({ created_at }) => created_at >= oldestInvite(now));
}

/** Whether a user may decline an invite. One to an e-mail address cannot be declined. */
export function mayDecline(invite: NamedInvite, account: AccountRow): boolean {
  return invite.account_id === account.id;
}

/**
 * Accepts an invite, and all other valid invites of the user in the same organization.
 * @throws RegistryError `invalid_request` if it is not theirs, was answered already, or has expired
 */
export async function acceptInvite(
  { db, log, now }: Pick<CallContext<"org_team_member_invite_accepted">, "db" | "log" | "now">,
  account: AccountRow,
  code: string,
): Promise<NamedInvite> {
  const invites = await listInvitesOf(db, account);
  const accepted = currentInvite(invites, { code, now });
  const others = invites.filter(
    ({ organizationId, created_at }) => organizationId === accepted.organizationId && created_at >= oldestInvite(now),
  );
  const ids = others.map(({ id }) => id);
  const taken = await deleteInvites(db, ids); // an answer or a withdrawal at the same moment may have come first
  if (!taken.has(accepted.id)) throw noSuchInvite();
  for (const { id, team_id, team, inviter, organizationId } of others) {
    if (!taken.has(id) || !(await addToTeam(db, team_id, account.id))) continue;
    const metadata = { member: account.username, team, inviter };
    await log("org_team_member_invite_accepted", metadata, { namespaceId: organizationId });
  }
  return accepted;
}

/** Declines an invite to an account. @throws RegistryError `invalid_request` if it is not theirs, or was answered already */
export async function declineInvite(
  { db, log }: Pick<CallContext<"org_team_member_invite_declined">, "db" | "log">,
  account: AccountRow,
  code: string,
): Promise<void> {
  const invites = await listInvitesOf(db, account);
  const declinable = invites.filter((invite) => mayDecline(invite, account));
  const { id, team, inviter, organizationId } = inviteAmong(declinable, code);
  if (!(await deleteInvites(db, [id])).has(id)) throw noSuchInvite();
  const metadata = { member: account.username, team, inviter };
  await log("org_team_member_invite_declined", metadata, { namespaceId: organizationId });
}

function currentInvite(
  invites: readonly NamedInvite[],
  { code, now }: { readonly code: string; readonly now: number },
): NamedInvite {
  const invite = inviteAmong(invites, code);
  if (invite.created_at >= oldestInvite(now)) return invite;
  const message = `The invite to the team ${invite.team} of ${invite.organization} has ended after ${inviteDays} days: ask ${invite.inviter} for another`;
  throw invalidRequest(message);
}

function inviteAmong(invites: readonly NamedInvite[], code: string): NamedInvite {
  const invite = invites.find(({ id }) => inviteCode(id) === code);
  if (invite === undefined) throw noSuchInvite();
  return invite;
}

function noSuchInvite() {
  return invalidRequest("There is no such invite for this user, or it was answered already, or it has expired");
}

/** Withdraws the invite of an e-mail address. @throws RegistryError `not_found` */
export async function withdrawInvite(
  { db, mailer, log }: Pick<CallContext<"org_delete_team_member_invite">, "db" | "mailer" | "log">,
  team: { readonly id: string; readonly name: string },
  email: string,
): Promise<void> {
  const pending = mailer === noMailer ? undefined : await findTeamInvite(db, team.id, { email });
  if (pending === undefined) throw notFound(`${email} has no invitation to the team`);
  await deleteInvites(db, [pending.id]);
  await log("org_delete_team_member_invite", { email, team: team.name, member: email });
}
