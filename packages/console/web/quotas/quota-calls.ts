import { currentUserKey } from "../api/current-user.ts";
import { getOrganization } from "../api/generated/organization.ts";
import { listAllOrganizations, listAllUsers, listUserQuotaSuperUser } from "../api/generated/superuser.ts";
import type { ResultOf } from "../api/operation.ts";

/** A quota as the management API shows it. */
export type ShownQuota = ResultOf<typeof listUserQuotaSuperUser>[number];

/** The operations whose answers a change of a quota makes stale. */
export const affectedByQuotas = [
  listUserQuotaSuperUser,
  getOrganization,
  listAllOrganizations,
  listAllUsers,
  { id: currentUserKey },
];
