import { createHash } from "node:crypto";
import { findAccountById, findOAuthApplication, type OAuthApplication } from "../../access/queries.ts";
import { parseScopes } from "../../access/scopes.ts";
import { equalSecrets, hashSecret } from "../../crypto/secrets.ts";
import type { Deps } from "../../deps.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { grantToken } from "./grants.ts";
import { type Code, insertCode, useCode } from "./queries.ts";
import { accessTokenSeconds } from "./tokens.ts";

/** What an application sends to exchange a code. */
export interface ExchangeRequest {
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
export type ExchangeResult =
  | { readonly kind: "token"; readonly token: string; readonly expiresIn: number }
  | { readonly kind: "error"; readonly error: ExchangeError };

/** The reason for a refusal, as an error code of RFC 6749 §5.2. */
export type ExchangeError =
  | "invalid_request"
  | "unsupported_grant_type"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope";

/** What exchanging needs. */
export interface ExchangeContext extends Pick<Deps, "secrets"> {
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
export async function exchangeCode(context: ExchangeContext, request: ExchangeRequest): Promise<ExchangeResult> {
  const { db, now, secrets } = context;
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
  return grant(context, used, application);
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

async function grant(context: ExchangeContext, used: Code, application: OAuthApplication): Promise<ExchangeResult> {
  const { db } = context;
  const account = await findAccountById(db, used.account_id);
  const organization = await findAccountById(db, application.organization_id);
  if (account?.enabled !== 1 || organization?.enabled !== 1) return failure("invalid_grant");
  const scopes = parseScopes(used.scope) ?? new Set();
  const { id: token_id, token } = await grantToken(db, account, {
    application,
    organization,
    scopes,
    now: context.now,
    ip: context.ip,
  });
  await insertCode(db, { ...used, token_id });
  return { kind: "token", token, expiresIn: accessTokenSeconds };
}

function failure(error: ExchangeError): ExchangeResult {
  return { kind: "error", error };
}
