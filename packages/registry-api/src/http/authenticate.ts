import type { IncomingHttpHeaders } from "node:http";
import { anonymous, type Principal } from "../access/principal.ts";
import { equalSecrets } from "../crypto/secrets.ts";
import { RegistryError } from "../errors.ts";
import { findOAuthPrincipal } from "../rules/oauth-tokens.ts";
import { findSession } from "../rules/sessions.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { readCookie, sessionCookie } from "./cookies.ts";

/** What authentication looks at. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  readonly isRead: boolean;
  /** Of the query, where the header is not given. */
  readonly csrfToken?: string | undefined;
}

/**
 * Who calls the management API: the owner of the bearer token, else of the session. A token that is not valid makes the caller
 * anonymous, so that what is public can be read; anything else it is refused for.
 * @throws RegistryError `invalid_token`, `insufficient_scope` for a missing CSRF token
 */
export async function authenticate(db: RegistryDb, credentials: Credentials, now: number): Promise<Principal> {
  const { headers, isRead } = credentials;
  const token = bearerToken(headers.authorization);
  if (token !== undefined) {
    const principal = await findOAuthPrincipal(db, token, now);
    if (principal !== undefined) return principal;
    if (isRead) return anonymous;
    throw new RegistryError("invalid_token", "The token is not valid", { details: { session_required: true } });
  }
  const cookie = readCookie(headers.cookie, sessionCookie);
  const session = cookie === undefined ? undefined : await findSession(db, cookie, now);
  if (session === undefined) return anonymous;
  if (!isRead) checkCsrfToken(session.csrfToken, credentials);
  return session.principal ?? anonymous;
}

/** The token of an `Authorization: Bearer` header; one that does not parse counts as absent. */
function bearerToken(header: string | undefined): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  return token;
}

function checkCsrfToken(expected: string, { headers, csrfToken }: Credentials): void {
  const header = headers["x-csrf-token"];
  const given = csrfToken ?? (Array.isArray(header) ? header[0] : header) ?? "";
  if (!equalSecrets(given, expected)) {
    throw new RegistryError("insufficient_scope", "CSRF token was invalid or missing: send it as X-CSRF-Token");
  }
}
