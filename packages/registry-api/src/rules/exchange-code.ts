import { parseScopes } from "../access/scopes.ts";
import type { Registry } from "../context.ts";
import { equalSecrets, hashSecret } from "../crypto/secrets.ts";
import { findAccountById } from "../store/accounts.ts";
import { findOAuthApplication } from "../store/oauth-applications.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { grantToken } from "./oauth-grants.ts";
import { accessTokenSeconds } from "./oauth-tokens.ts";

/** What an application sends to exchange a code. */
export interface ExchangeRequest {
  readonly grant_type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly code?: string | undefined;
  readonly scope?: string | undefined;
}

/** A token, or why there is none (RFC 6749 §5.2). */
export type ExchangeResult =
  | { readonly kind: "token"; readonly token: string; readonly expiresIn: number }
  | { readonly kind: "error"; readonly error: ExchangeError };

/** Why a code is not exchanged. */
export type ExchangeError =
  | "invalid_request"
  | "unsupported_grant_type"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope";

/** Exchanges a code for a token. The code is used up whatever comes of it, so nothing is thrown. Belongs into a transaction. */
export async function exchangeCode(
  {
    db,
    secrets,
    now,
    ip,
  }: Pick<Registry, "secrets"> & { readonly db: RegistryDb; readonly now: number; readonly ip: string },
  request: ExchangeRequest,
): Promise<ExchangeResult> {
  const { grant_type, client_id, client_secret, redirect_uri, code, scope } = request;
  if (grant_type !== "authorization_code") return failure(grant_type ? "unsupported_grant_type" : "invalid_request");
  if (!client_id || !redirect_uri || !code || !scope) return failure("invalid_request");
  const scopes = parseScopes(scope);
  if (scopes === undefined) return failure("invalid_scope");
  const application = await findOAuthApplication(db, client_id);
  const secret = application && secrets.open(application.secret_sealed);
  if (application === undefined || !secret || !equalSecrets(secret, client_secret ?? ""))
    return failure("invalid_client");
  const codes = db
    .deleteFrom("oauth_code")
    .where("code_hash", "=", hashSecret(code))
    .where("client_id", "=", client_id);
  const used = await codes.returningAll().executeTakeFirst();
  if (used === undefined || used.expires_at <= now || used.redirect_uri !== redirect_uri)
    return failure("invalid_grant");
  if (used.scope !== [...scopes].join(" ")) return failure("invalid_scope");
  const account = await findAccountById(db, used.account_id);
  const organization = await findAccountById(db, application.organization_id);
  if (account?.enabled !== 1 || organization?.enabled !== 1) return failure("invalid_grant");
  const token = await grantToken(db, account, { application, organization, scopes }, { now, ip });
  return { kind: "token", token, expiresIn: accessTokenSeconds };
}

function failure(error: ExchangeError): ExchangeResult {
  return { kind: "error", error };
}
