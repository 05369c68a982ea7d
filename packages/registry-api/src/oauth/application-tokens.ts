import type { InferResult } from "kysely";
import type { UserPrincipal } from "../access/principal.ts";
import { parseScopes, type Scope } from "../access/scopes.ts";
import type { Standing } from "../access/standing.ts";
import { invalidRequest, RegistryError } from "../errors.ts";
import type { MadeKey, ReadFrom } from "../lists/read-from.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/**
 * The scopes that somebody asks a token for, if they hold them themselves: with a token only its own, and `super:user` only as
 * a superuser.
 * @throws RegistryError `invalid_request`, `insufficient_scope`
 */
export function grantableScopes(text: string, caller: UserPrincipal, standing: Standing): ReadonlySet<Scope> {
  const asked = parseScopes(text);
  if (asked === undefined) throw invalidRequest(`Invalid scope: ${text.slice(0, 300)}`);
  const held = caller.via.kind === "oauth" ? caller.via.token.scopes : asked;
  const isHeld = [...asked].every((scope) => held.has(scope));
  const mayGrant = isHeld && (!asked.has("super:user") || standing.isSuperuser);
  if (!mayGrant)
    throw new RegistryError("insufficient_scope", "Unauthorized: a token holds what its maker holds at most");
  return asked;
}

/** A token of an application as it is listed. */
export type ApplicationToken = InferResult<ReturnType<typeof tokensOf>>[number];

/** Some live tokens of an application, the newest first. */
export async function listApplicationTokens(
  db: RegistryDb,
  clientId: string,
  now: number,
  { limit, after }: ReadFrom<MadeKey>,
): Promise<readonly ApplicationToken[]> {
  return tokensOf(db, clientId)
    .where("oauth_token.expires_at", ">", now)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("oauth_token.created_at", "oauth_token.id"), "<", tuple(...after)))
    .orderBy("oauth_token.created_at", "desc")
    .orderBy("oauth_token.id", "desc")
    .limit(limit)
    .execute();
}

/** A token of an application, live or not. */
export async function findApplicationToken(
  db: RegistryDb,
  clientId: string,
  id: string,
): Promise<ApplicationToken | undefined> {
  return tokensOf(db, clientId).where("oauth_token.id", "=", id).executeTakeFirst();
}

function tokensOf(db: RegistryDb, clientId: string) {
  return db
    .selectFrom("oauth_token")
    .innerJoin("account", "account.id", "oauth_token.account_id")
    .selectAll("oauth_token")
    .select("account.username")
    .where("oauth_token.client_id", "=", clientId);
}
