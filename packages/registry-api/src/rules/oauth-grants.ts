import { organizationRole } from "../access/roles.ts";
import { parseScopes, type Scope } from "../access/scopes.ts";
import { hashSecret, randomSecret } from "../crypto/secrets.ts";
import { invalidRequest, notFound, RegistryError } from "../errors.ts";
import { type AccountRow, findAccountById } from "../store/accounts.ts";
import { findOAuthApplication, type OAuthApplication } from "../store/oauth-applications.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findTeamRoles } from "../store/ties.ts";
import { createOAuthToken } from "./oauth-tokens.ts";
import { writeUsageLog } from "./usage-log.ts";

/** How long a code can be exchanged, in milliseconds. */
const codeMs = 600_000;

/** What an application asks a user for, as far as it makes sense. */
export interface GrantRequest {
  readonly application: OAuthApplication;
  readonly organization: AccountRow;
  readonly scopes: ReadonlySet<Scope>;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly state?: string;
}

/**
 * Reads what an application asks for. Only admins of its organization can grant it.
 * @throws RegistryError `invalid_request`, `not_found` for an unknown application or scope, `insufficient_scope`
 */
export async function readGrantRequest(
  db: RegistryDb,
  account: AccountRow,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<GrantRequest> {
  const { client_id, redirect_uri, scope, response_type: responseType = "code", state } = fields;
  for (const [name, value] of Object.entries({ client_id, redirect_uri, scope })) {
    if (!value) throw invalidRequest(`Required param: ${name}`);
  }
  const application = await findOAuthApplication(db, client_id ?? "");
  const organization = application && (await findAccountById(db, application.organization_id));
  if (application === undefined || organization === undefined) throw notFound("There is no such application");
  if (!(await isAdministeredBy(db, organization, account))) {
    throw new RegistryError(
      "insufficient_scope",
      `Only admins of ${organization.username} can grant this application anything`,
    );
  }
  const scopes = parseScopes(scope ?? "");
  if (scopes === undefined) throw notFound("There is no such scope");
  return { application, organization, scopes, redirectUri: redirect_uri ?? "", responseType, ...(state && { state }) };
}

async function isAdministeredBy(db: RegistryDb, organization: AccountRow, account: AccountRow): Promise<boolean> {
  if (organization.id === account.id) return true;
  return organizationRole(await findTeamRoles(db, organization.id, account.id), undefined) === "admin";
}

/** Whether a user has granted an application those scopes before, by tokens that still live. */
export async function hasGranted(
  db: RegistryDb,
  account: AccountRow,
  { application, scopes }: GrantRequest,
  now: number,
): Promise<boolean> {
  const tokens = await db
    .selectFrom("oauth_token")
    .select("scope")
    .where("client_id", "=", application.client_id)
    .where("account_id", "=", account.id)
    .where("expires_at", ">", now)
    .execute();
  const granted = new Set(tokens.flatMap(({ scope }) => scope.split(" ")));
  return [...scopes].every((scope) => granted.has(scope));
}

/** Makes a token for an application on behalf of a user. @returns the token, which is shown once */
export async function grantToken(
  db: RegistryDb,
  account: AccountRow,
  { application, organization, scopes }: Pick<GrantRequest, "application" | "organization" | "scopes">,
  { now, ip }: { readonly now: number; readonly ip: string },
): Promise<string> {
  const { client_id: clientId, name: application_name } = application;
  const { id, token } = await createOAuthToken(db, { clientId, accountId: account.id, scopes, now });
  await writeUsageLog(db, {
    kind: "create_oauth_api_token",
    metadata: { oauth_token_uuid: id, scope: [...scopes].join(" "), application_name, client_id: clientId },
    namespaceId: organization.id,
    principal: { kind: "user", account, via: { kind: "password" } },
    ip,
    at: now,
  });
  return token;
}

/** Makes a code that the application exchanges for a token, once and soon. */
export async function grantCode(
  db: RegistryDb,
  account: AccountRow,
  { application, scopes, redirectUri }: GrantRequest,
  now: number,
): Promise<string> {
  const code = randomSecret(40);
  await db
    .insertInto("oauth_code")
    .values({
      code_hash: hashSecret(code),
      client_id: application.client_id,
      account_id: account.id,
      scope: [...scopes].join(" "),
      redirect_uri: redirectUri,
      expires_at: now + codeMs,
    })
    .execute();
  return code;
}
