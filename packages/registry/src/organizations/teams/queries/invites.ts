import type { Selectable } from "kysely";
import type { AccountRow } from "../../../access/queries.ts";
import type { CreationKey, ReadFrom } from "../../../lists/list-pages.ts";
import { readLength } from "../../../store/bounded-reads.ts";
import type { TeamInviteTable } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** An invite as it is stored. */
export type TeamInviteRow = Selectable<TeamInviteTable>;

/** Some pending invites of a team, with the names of those who have an account; the oldest first. */
export async function listTeamInvites(db: RegistryDb, teamId: string, { after, limit }: ReadFrom<CreationKey>) {
  return db
    .selectFrom("team_invite")
    .leftJoin("account", "account.id", "team_invite.account_id")
    .select([
      "team_invite.id",
      "team_invite.email",
      "team_invite.created_at",
      "account.username",
      "account.kind",
      "account.email as account_email",
    ])
    .where("team_invite.team_id", "=", teamId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("team_invite.created_at", "team_invite.id"), ">", tuple(...after)))
    .orderBy("team_invite.created_at")
    .orderBy("team_invite.id")
    .limit(limit)
    .execute();
}

/** The pending invite of an account or of an e-mail address to a team. */
export async function findTeamInvite(
  db: RegistryDb,
  teamId: string,
  invited: { readonly accountId: string } | { readonly email: string },
): Promise<TeamInviteRow | undefined> {
  const invites = db.selectFrom("team_invite").selectAll().where("team_id", "=", teamId);
  return "email" in invited
    ? invites.where("email", "=", invited.email.toLowerCase()).executeTakeFirst()
    : invites.where("account_id", "=", invited.accountId).executeTakeFirst();
}

/** An invite with the names of its team, organization and inviter. */
export interface NamedInvite extends TeamInviteRow {
  readonly team: string;
  readonly organizationId: string;
  readonly organization: string;
  readonly inviter: string;
}

/** The invites that a user can accept: those of the account, and those of its e-mail address once that is confirmed. */
export async function listInvitesOf(db: RegistryDb, { id, email, verified }: AccountRow): Promise<NamedInvite[]> {
  return db
    .selectFrom("team_invite")
    .innerJoin("team", "team.id", "team_invite.team_id")
    .innerJoin("account as organization", "organization.id", "team.organization_id")
    .innerJoin("account as inviter", "inviter.id", "team_invite.inviter_id")
    .selectAll("team_invite")
    .select(["team.name as team", "organization.id as organizationId"])
    .select(["organization.username as organization", "inviter.username as inviter"])
    .where((where) =>
      where.or([
        where("team_invite.account_id", "=", id),
        ...(verified === 1 && email !== null ? [where("team_invite.email", "=", email.toLowerCase())] : []),
      ]),
    )
    .orderBy("team_invite.created_at")
    .execute();
}

/** The invite with an id, if it is to the given e-mail address. */
export async function findInviteByEmail(
  db: RegistryDb,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<TeamInviteRow | undefined> {
  const invites = db.selectFrom("team_invite").selectAll().where("id", "=", id);
  return invites.where("email", "=", email.toLowerCase()).executeTakeFirst();
}

/** Deletes invites that were created before a time, and the notifications about them. */
export async function deleteInvitesBefore(db: RegistryDb, before: number): Promise<void> {
  for (;;) {
    const old = db.selectFrom("team_invite").select("id").where("created_at", "<", before);
    const rows = await old.orderBy("created_at").limit(readLength).execute();
    await deleteInvites(
      db,
      rows.map(({ id }) => id),
    );
    if (rows.length < readLength) return;
  }
}

/** Deletes invites, and the notifications about them. @returns the ids of those that nobody else has deleted meanwhile */
export async function deleteInvites(db: RegistryDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const deleted = await db.deleteFrom("team_invite").where("id", "in", ids).returning("id").execute();
  await db.deleteFrom("user_notification").where("id", "in", ids).execute();
  return new Set(deleted.map(({ id }) => id));
}

/** Stores an invite. @returns its id; undefined if the invitee has one already */
export async function insertTeamInvite(db: RegistryDb, invite: NewRow<"team_invite">): Promise<string | undefined> {
  const inserted = await db
    .insertInto("team_invite")
    .values(invite)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
}
