import { randomUUID } from "node:crypto";
import { remember } from "@plimsoll/core/internal/remember";
import type { GlobalRole } from "../../access/global-role.ts";
import type { UserPrincipal } from "../../access/principal.ts";
import { parseScopes, type Scope } from "../../access/scopes.ts";
import { hashSecret, randomSecret } from "../../crypto/secrets.ts";
import { invalidRequest, RegistryError } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findToken, findTokenById, insertToken, type KnownToken, storeTokenAccess } from "./queries.ts";

/** The lifetime of access tokens: ten years. */
export const accessTokenSeconds = 315_576_000;

/** A token that is shown once. */
export interface NewOAuthToken {
  readonly id: string;
  readonly token: string;
}

/** The properties of a token to create. */
interface OAuthTokenRequest {
  readonly clientId: string;
  readonly accountId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly now: number;
  /** {@link accessTokenSeconds} where absent. */
  readonly lifetimeSeconds?: number;
  readonly name?: string;
}

/** Creates an access token; only its hash is stored. */
export async function createOAuthToken(db: RegistryDb, request: OAuthTokenRequest): Promise<NewOAuthToken> {
  const { clientId, accountId, scopes, now, lifetimeSeconds = accessTokenSeconds, name = null } = request;
  const token = randomSecret(40);
  const id = randomUUID();
  await insertToken(db, {
    id,
    token_hash: hashSecret(token),
    client_id: clientId,
    account_id: accountId,
    scope: [...scopes].join(" "),
    name,
    created_at: now,
    expires_at: now + lifetimeSeconds * 1000,
    last_accessed_at: null,
  });
  return { id, token };
}

/** The user for whom a token acts; undefined for a token that is unknown or expired, or whose user is disabled. */
export async function findOAuthPrincipal(
  db: RegistryDb,
  token: string,
  now: number,
): Promise<UserPrincipal | undefined> {
  const [row] = await findToken(db, { hash: hashSecret(token) });
  return principalOf(db, row, now);
}

/** The same by the id of the token. */
export async function findOAuthPrincipalById(
  db: RegistryDb,
  id: string,
  now: number,
): Promise<UserPrincipal | undefined> {
  const [row] = await findTokenById(db, { id });
  return principalOf(db, row, now);
}

async function principalOf(
  db: RegistryDb,
  row: KnownToken | undefined,
  now: number,
): Promise<UserPrincipal | undefined> {
  if (row === undefined || row.token_expires_at <= now) return undefined;
  const { token_id: id, token_scope, token_client_id: clientId, token_accessed_at, application_name } = row;
  if (isNewAccess(token_accessed_at ?? 0, now)) {
    await storeTokenAccess(db, id, now);
  }
  const grant = {
    id,
    clientId,
    applicationName: application_name,
    scopes: scopesOf(token_scope) ?? noScopes,
  };
  return { kind: "user", account: row, via: { kind: "oauth", token: grant } };
}

const noScopes: ReadonlySet<Scope> = new Set();

/** Cached, since most tokens hold one of a few texts. */
const scopesOf = remember((text) => parseScopes(text ?? ""));

/** The precision of the stored time of the last use: not every use is stored. */
const precisionMs = 60_000;

/** Whether a use is to be stored. @param lastAt the instant of the last stored use; 0: there is none */
export function isNewAccess(lastAt: number, now: number): boolean {
  return now - lastAt > precisionMs;
}

/**
 * Parses the scopes that a caller requests for a new token, and checks that the caller may grant them. A caller with a token may
 * grant only the scopes of that token, and only superusers may grant `super:user`.
 * @throws RegistryError `invalid_request`, `insufficient_scope`
 */
export function grantableScopes(text: string, caller: UserPrincipal, globalRole: GlobalRole): ReadonlySet<Scope> {
  const requested = parseScopes(text);
  if (requested === undefined) throw invalidRequest(`Invalid scope: ${text.slice(0, 300)}`);
  const held = caller.via.kind === "oauth" ? caller.via.token.scopes : requested;
  const isHeld = [...requested].every((scope) => held.has(scope));
  const mayGrant = isHeld && (!requested.has("super:user") || globalRole.isSuperuser);
  if (!mayGrant)
    throw new RegistryError("insufficient_scope", "Unauthorized: a token can have only scopes that its creator has");
  return requested;
}
