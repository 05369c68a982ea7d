import type { AccountRow } from "../../access/queries.ts";
import { hashSecret, randomSecret } from "../../crypto/secrets.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { GrantRequest } from "./grant-request.ts";
import { deleteAssignment, insertCode, listGrantedScopes } from "./queries.ts";
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
