import { lockNamespace } from "../../access/queries.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { type AdminMembership, listAdminMemberships } from "./queries/organization-members.ts";

/** The memberships to remove: all of a team, an account's in one team, or an account's in all teams. */
export type AdminLoss =
  | { readonly teamId: string; readonly accountId?: never }
  | { readonly teamId: string; readonly accountId: string }
  | { readonly teamId?: never; readonly accountId: string };

/** The administrators after a loss: enough, none, or others without the caller. */
export type AdminVerdict = "enough" | "no-admin" | "not-the-caller";

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
