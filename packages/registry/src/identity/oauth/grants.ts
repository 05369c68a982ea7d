import { randomUUID } from "node:crypto";
import { type AccountRow, findAccount } from "../../access/queries.ts";
import { hashSecret, randomSecret } from "../../crypto/secrets.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { insertNotification } from "../../events/queries/notifications.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { GrantRequest } from "./grant-request.ts";
import { deleteAssignment, insertAssignment, insertCode, isAssigned, listGrantedScopes } from "./queries.ts";
import { createOAuthToken, type NewOAuthToken } from "./tokens.ts";

/** How long a code is valid. */
const codeMs = 600_000;

/** Whether the unexpired tokens that a user granted to an application cover the requested scopes. */
export async function hasGranted(
  db: RegistryDb,
  account: AccountRow,
  { application, scopes, now }: GrantRequest & { readonly now: number },
): Promise<boolean> {
  const granted = new Set(
    (await listGrantedScopes(db, { clientId: application.client_id, accountId: account.id, now })).flatMap((scope) =>
      scope.split(" "),
    ),
  );
  return [...scopes].every((scope) => granted.has(scope));
}

/** Creates a token of an application for a user, and deletes the request of another user for it. The token is shown once. */
export async function grantToken(
  db: RegistryDb,
  account: AccountRow,
  {
    application,
    organization,
    scopes,
    assignment,
    now,
    ip,
  }: Pick<GrantRequest, "application" | "organization" | "scopes" | "assignment"> & {
    readonly now: number;
    readonly ip: string;
  },
): Promise<NewOAuthToken> {
  const { client_id: clientId, name: application_name } = application;
  if (assignment !== undefined) await deleteAssignment(db, { id: assignment.id, accountId: account.id });
  const made = await createOAuthToken(db, { clientId, accountId: account.id, scopes, now });
  await writeUsageLog(db, {
    kind: "create_oauth_api_token",
    metadata: { oauth_token_uuid: made.id, scope: [...scopes].join(" "), application_name, client_id: clientId },
    namespaceId: organization.id,
    principal: { kind: "user", account, via: { kind: "password" } },
    ip,
    at: now,
  });
  return made;
}

/** Creates a code that the application can exchange for a token, once and within ten minutes. */
export async function grantCode(
  db: RegistryDb,
  account: AccountRow,
  { application, scopes, redirectUri, challenge, now }: GrantRequest & { readonly now: number },
): Promise<string> {
  const code = randomSecret(40);
  await insertCode(db, {
    code_hash: hashSecret(code),
    client_id: application.client_id,
    account_id: account.id,
    scope: [...scopes].join(" "),
    redirect_uri: redirectUri,
    code_challenge: challenge?.value ?? null,
    token_id: null,
    expires_at: now + codeMs,
  });
  return code;
}

/** A request of an admin to a user: to grant an application a token. */
interface AssignedToken {
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
