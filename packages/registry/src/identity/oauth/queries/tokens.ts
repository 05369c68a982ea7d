import { compileOnce, ifWritable, type Parameter } from "@plimsoll/store";
import type { InferResult } from "kysely";
import type { CreationKey, ReadFrom } from "../../../lists/read-from.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** A token of an application as it is listed. */
export type ApplicationToken = InferResult<ReturnType<typeof tokensOf>>[number];

/** Some live tokens of an application, the newest first. */
export async function listApplicationTokens(
  db: RegistryDb,
  clientId: string,
  { now, limit, after }: ReadFrom<CreationKey> & { readonly now: number },
): Promise<readonly ApplicationToken[]> {
  return tokensOf(db, clientId)
    .where("oauth_token.expires_at", ">", now)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("oauth_token.created_at", "oauth_token.id"), "<", tuple(...after)))
    .orderBy("oauth_token.created_at", "desc")
    .orderBy("oauth_token.id", "desc")
    .limit(limit)
    .execute();
}

/** A token of an application, also one that has expired. */
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

/** The scopes of the live tokens that a user has granted an application: for each token, its scopes separated by spaces. */
export async function listGrantedScopes(
  db: RegistryDb,
  of: { readonly clientId: string; readonly accountId: string; readonly now: number },
): Promise<readonly string[]> {
  const tokens = await db
    .selectFrom("oauth_token")
    .select("scope")
    .where("client_id", "=", of.clientId)
    .where("account_id", "=", of.accountId)
    .where("expires_at", ">", of.now)
    .execute();
  return tokens.map(({ scope }) => scope);
}

/** Deletes an access token. */
export async function removeToken(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("oauth_token").where("id", "=", id).execute();
}

function authorizationsOf(db: RegistryDb, accountId: string, now: number) {
  return db
    .selectFrom("oauth_token")
    .innerJoin("oauth_application", "oauth_application.client_id", "oauth_token.client_id")
    .innerJoin("account", "account.id", "oauth_application.organization_id")
    .selectAll("oauth_application")
    .select(["oauth_token.id as uuid", "oauth_token.scope", "oauth_token.created_at as madeAt"])
    .select(["account.username", "account.email"])
    .where("oauth_token.account_id", "=", accountId)
    .where("oauth_token.expires_at", ">", now)
    .orderBy("oauth_token.created_at", "desc")
    .orderBy("oauth_token.id", "desc");
}

/** Some live tokens by which applications act for a user, the newest first. */
export function listAuthorizations(
  db: RegistryDb,
  of: { readonly accountId: string; readonly now: number },
  { after, limit }: ReadFrom<CreationKey>,
) {
  return authorizationsOf(db, of.accountId, of.now)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("oauth_token.created_at", "oauth_token.id"), "<", tuple(...after)))
    .limit(limit)
    .execute();
}

/** A live token by which an application acts for a user. */
export function findAuthorization(
  db: RegistryDb,
  of: { readonly accountId: string; readonly now: number; readonly id: string },
) {
  const tokens = authorizationsOf(db, of.accountId, of.now);
  return tokens.where("oauth_token.id", "=", of.id).executeTakeFirst();
}

/** Deletes a token by which an application acts for a user. @returns the deleted token */
export function endAuthorization(db: RegistryDb, of: { readonly accountId: string; readonly id: string }) {
  return db
    .deleteFrom("oauth_token")
    .where("id", "=", of.id)
    .where("account_id", "=", of.accountId)
    .returning(["id", "client_id"])
    .executeTakeFirst();
}

/** An access token by its hash. */
export const findToken = compileOnce((db: RegistryDb, parameter: Parameter<{ hash: string }>) =>
  knownTokens(db).where("token_hash", "=", parameter("hash")),
);

/** An access token by its id. */
export const findTokenById = compileOnce((db: RegistryDb, parameter: Parameter<{ id: string }>) =>
  knownTokens(db).where("oauth_token.id", "=", parameter("id")),
);

function knownTokens(db: RegistryDb) {
  return db
    .selectFrom("oauth_token")
    .innerJoin("account", "account.id", "oauth_token.account_id")
    .innerJoin("oauth_application", "oauth_application.client_id", "oauth_token.client_id")
    .selectAll("account")
    .select([
      "oauth_token.id as token_id",
      "oauth_token.scope as token_scope",
      "oauth_token.client_id as token_client_id",
      "oauth_token.expires_at as token_expires_at",
      "oauth_token.last_accessed_at as token_accessed_at",
      "oauth_application.name as application_name",
    ])
    .where("account.enabled", "=", 1)
    .where("account.kind", "=", "user");
}

/** An access token with its user and its application. */
export type KnownToken = InferResult<ReturnType<typeof knownTokens>>[number];

/** Stores an access token. */
export async function insertToken(db: RegistryDb, token: NewRow<"oauth_token">): Promise<void> {
  await db.insertInto("oauth_token").values(token).execute();
}

/** Stores when an access token was used, unless the database is read-only. */
export async function storeTokenAccess(db: RegistryDb, id: string, now: number): Promise<void> {
  const update = db.updateTable("oauth_token").set({ last_accessed_at: now }).where("id", "=", id);
  await ifWritable(() => update.execute());
}
