import type { IncomingHttpHeaders } from "node:http";
import { anonymous, type Principal } from "@plimsoll/registry/access/principal";
import type { Session } from "@plimsoll/registry/access/session";
import type { CallContext } from "@plimsoll/registry/context";
import { equalSecrets } from "@plimsoll/registry/crypto/secrets";
import { RegistryError } from "@plimsoll/registry/errors";
import { findOAuthPrincipal } from "@plimsoll/registry/identity/oauth/tokens";
import { csrfTokenMissing, findSession } from "@plimsoll/registry/identity/sign-in/sessions";
import { readCookie, sessionCookie } from "./browser-calls.ts";

/** The parts of a request that authentication needs. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  readonly isRead: boolean;
  /** The CSRF token of the query. It takes precedence over the header. */
  readonly csrfToken?: string | undefined;
}

/** The caller, and the session of their browser. */
export interface Caller {
  readonly principal: Principal;
  /** With or without a signed-in user. Absent if the request has a token, or no valid cookie. */
  readonly session?: Session;
}

/**
 * Identifies the caller of the management API: the owner of the bearer token, otherwise the user of the session. A request that reads
 * with an invalid token is anonymous, so that public resources can be read; other requests with an invalid token are refused.
 * @throws RegistryError `invalid_token`, `insufficient_scope` for a missing CSRF token
 */
export async function authenticate(
  context: Pick<CallContext, "db" | "browserSessions" | "now">,
  credentials: Credentials,
): Promise<Caller> {
  const { headers, isRead } = credentials;
  const token = bearerToken(headers.authorization);
  if (token !== undefined) {
    const principal = await findOAuthPrincipal(context.db, token, context.now);
    if (principal !== undefined) return { principal };
    if (isRead) return { principal: anonymous };
    throw new RegistryError("invalid_token", "The token is not valid", { details: { session_required: true } });
  }
  const cookie = readCookie(headers.cookie, sessionCookie);
  const session = cookie === undefined ? undefined : await findSession(context, cookie);
  if (session === undefined) return { principal: anonymous };
  if (!isRead) checkCsrfToken(session.csrfToken, credentials);
  return { principal: session.principal ?? anonymous, session };
}

/** The token of an `Authorization: Bearer` header; undefined if the header is absent or malformed. */
function bearerToken(header: string | undefined): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  return token;
}

function checkCsrfToken(expected: string, { headers, csrfToken }: Credentials): void {
  const header = headers["x-csrf-token"];
  const given = csrfToken ?? (Array.isArray(header) ? header[0] : header) ?? "";
  if (!equalSecrets(given, expected)) throw csrfTokenMissing();
}
