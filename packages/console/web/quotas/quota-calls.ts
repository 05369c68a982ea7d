import { currentUserKey } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";

/** A quota as the management API shows it. */
export type ShownQuota = ResultOf<"GET /superuser/organization/{namespace}/quota">[number];

/** The operations whose answers a change of a quota makes stale. */
export const affectedByQuotas = [
  "GET /superuser/organization/{namespace}/quota",
  "GET /organization/{orgname}",
  "GET /superuser/organizations/",
  "GET /superuser/users/",
  currentUserKey,
] as const;
