import { createHash, randomUUID } from "node:crypto";
import {
  type AccountRow,
  findAccount,
  findAccountById,
  findOAuthApplication,
  type OAuthApplication,
} from "../../access/queries.ts";
import { parseScopes } from "../../access/scopes.ts";
import type { CallContext } from "../../context.ts";
import { equalSecrets, hashSecret, randomSecret } from "../../crypto/secrets.ts";
import type { Deps } from "../../deps.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { insertNotifications } from "../../events/queries/notifications.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { GrantRequest } from "./grant-request.ts";
import {
  type Code,
  deleteAssignment,
  endAuthorization,
  insertAssignment,
  insertCode,
  isAssigned,
  listGrantedScopes,
  useCode,
} from "./queries.ts";
import { accessTokenSeconds, createOAuthToken, type NewOAuthToken } from "./tokens.ts";

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
  await insertNotifications(db, [{ ...notification, metadata: JSON.stringify(metadata) }]);
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

/** What an application sends to exchange a code. */
interface ExchangeRequest {
  readonly grant_type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly code?: string | undefined;
  readonly scope?: string | undefined;
  /** Of PKCE: the secret whose hash is the challenge. */
  readonly code_verifier?: string | undefined;
}

/** A token, or the reason for the refusal (RFC 6749 §5.2). */
type ExchangeResult =
  | { readonly kind: "token"; readonly token: string; readonly expiresIn: number }
  | { readonly kind: "error"; readonly error: ExchangeError };

/** The reason for a refusal, as an error code of RFC 6749 §5.2. */
type ExchangeError =
  | "invalid_request"
  | "unsupported_grant_type"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope";

/** What exchanging needs. */
interface ExchangeCall extends Pick<Deps, "secrets"> {
  /** A transaction. */
  readonly db: RegistryDb;
  readonly now: number;
  readonly ip: string;
}

/**
 * Exchanges a code for a token. The code is used up even if it is refused: an error would roll that back, so refusals are returned.
 * A code that is sent a second time has leaked, so the token for which it was exchanged is deleted.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2
 */
export async function exchangeCode(call: ExchangeCall, request: ExchangeRequest): Promise<ExchangeResult> {
  const { db, now, secrets } = call;
  const { grant_type, client_id, client_secret = "", redirect_uri, code, scope } = request;
  if (grant_type !== "authorization_code") return failure(grant_type ? "unsupported_grant_type" : "invalid_request");
  if (!client_id || !redirect_uri || !code || !scope) return failure("invalid_request");
  const scopes = parseScopes(scope);
  if (scopes === undefined) return failure("invalid_scope");
  const application = await findOAuthApplication(db, client_id);
  const secret = application && secrets.open(application.secret_sealed);
  if (application === undefined || !secret || !equalSecrets(secret, client_secret)) return failure("invalid_client");
  const used = await useCode(db, hashSecret(code), client_id);
  if (used === undefined || !isForRequest(used, request, now)) return failure("invalid_grant");
  if (used.scope !== [...scopes].join(" ")) return failure("invalid_scope");
  return grant(call, used, application);
}

function isForRequest(used: Code, { redirect_uri, code_verifier }: ExchangeRequest, now: number): boolean {
  if (used.expires_at <= now || used.redirect_uri !== redirect_uri) return false;
  if (used.code_challenge === null) return code_verifier === undefined;
  return equalSecrets(challengeOf(code_verifier ?? ""), used.code_challenge);
}

/** The challenge of a verifier by `S256`. @see https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

async function grant(call: ExchangeCall, used: Code, application: OAuthApplication): Promise<ExchangeResult> {
  const { db } = call;
  const account = await findAccountById(db, used.account_id);
  const organization = await findAccountById(db, application.organization_id);
  if (account?.enabled !== 1 || organization?.enabled !== 1) return failure("invalid_grant");
  const scopes = parseScopes(used.scope) ?? new Set();
  const { id: token_id, token } = await grantToken(db, account, {
    application,
    organization,
    scopes,
    now: call.now,
    ip: call.ip,
  });
  await insertCode(db, { ...used, token_id });
  return { kind: "token", token, expiresIn: accessTokenSeconds };
}

function failure(error: ExchangeError): ExchangeResult {
  return { kind: "error", error };
}

/** Refuses the request to grant a token that was assigned to an account. @throws RegistryError `not_found` */
export async function declineAssignment(
  db: RegistryDb,
  assignment: { readonly id: string; readonly accountId: string },
): Promise<void> {
  if (!(await deleteAssignment(db, assignment)))
    throw notFound(
      "You are not asked to grant a token with that id: it was granted, declined or withdrawn, or is for another user",
    );
}

/** Ends a token by which an application acts for an account. @returns false if the account has no such token */
export async function revokeGrant(
  { db, log }: Pick<CallContext<"oauth_token_revoked">, "db" | "log">,
  grant: { readonly accountId: string; readonly id: string },
): Promise<boolean> {
  const ended = await endAuthorization(db, grant);
  if (ended !== undefined) await log("oauth_token_revoked", { oauth_token_uuid: ended.id, client_id: ended.client_id });
  return ended !== undefined;
}
