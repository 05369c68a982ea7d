import { randomUUID } from "node:crypto";
import { type AccountRow, findAccount } from "../../access/queries.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { insertNotification } from "../../events/queries/notifications.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { GrantRequest } from "./grant-request.ts";
import { insertAssignment, isAssigned } from "./queries.ts";

/** A request of an admin to a user: to grant an application a token. */
export interface AssignedToken {
  readonly grantRequest: GrantRequest;
  /** The requesting user, an admin of the application's organization. */
  readonly admin: AccountRow;
  readonly username: string;
  readonly ip: string;
  readonly now: number;
}

/**
 * Stores a request to a user to grant a token to an application, and notifies the user in the registry. Only the user can then grant
 * the token. A repeated call changes nothing. Must run in a transaction.
 * @throws RegistryError `invalid_request` for anything but a token, `not_found` for an unknown user
 */
export async function assignToken(
  db: RegistryDb,
  { grantRequest, admin, username, ip, now }: AssignedToken,
): Promise<void> {
  const { application, organization, scopes, redirectUri: redirect_uri, responseType } = grantRequest;
  if (responseType !== "token") throw invalidRequest("Only a token can be assigned: expected response_type=token");
  const user = await findAccount(db, username, "user");
  if (user === undefined || user.enabled === 0) throw notFound("There is no such user");
  const { client_id } = application;
  const row = { client_id, account_id: user.id, scope: [...scopes].join(" "), redirect_uri };
  if (await isAssigned(db, row)) return;
  const id = randomUUID();
  await insertAssignment(db, { id, ...row, created_at: now });
  const metadata = { uuid: id, username: admin.username, application: application.name, org: organization.username };
  const notification = {
    id,
    account_id: user.id,
    kind: "assigned_authorization",
    dismissed: 0,
    created_at: now,
  } as const;
  await insertNotification(db, { ...notification, metadata: JSON.stringify(metadata) });
  await writeUsageLog(db, {
    kind: "oauth_token_assigned",
    metadata: {
      assigning_user: admin.username,
      assigned_user: user.username,
      application: application.name,
      client_id,
    },
    namespaceId: organization.id,
    principal: { kind: "user", account: admin, via: { kind: "password" } },
    ip,
    at: now,
  });
}
