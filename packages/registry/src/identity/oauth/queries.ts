import { compileOnce, ifWritable, type Parameter } from "@plimsoll/store";
import type { InferResult, Selectable } from "kysely";
import type { OAuthApplication } from "../../access/queries.ts";
import type { CreationKey, ReadFrom } from "../../lists/list-pages.ts";
import type { OAuthAssignmentTable, OAuthCodeTable } from "../../store/tables/accounts.ts";
import type { NewRow, RegistryDb, RowChanges } from "../../store/tables/all.ts";

/** Some applications of an organization, the oldest first. */
export async function listOAuthApplications(
  db: RegistryDb,
  organizationId: string,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly OAuthApplication[]> {
  return db
    .selectFrom("oauth_application")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "client_id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("client_id")
    .limit(limit)
    .execute();
}

/** Stores an application. */
export async function insertApplication(db: RegistryDb, application: NewRow<"oauth_application">): Promise<void> {
  await db.insertInto("oauth_application").values(application).execute();
}

/** Changes an application. */
export async function updateApplication(
  db: RegistryDb,
  clientId: string,
  changes: RowChanges<"oauth_application">,
): Promise<void> {
  await db.updateTable("oauth_application").set(changes).where("client_id", "=", clientId).execute();
}

/** Deletes an application; the database deletes its tokens, codes and assignments with it. */
export async function removeApplication(db: RegistryDb, clientId: string): Promise<void> {
  await db.deleteFrom("oauth_application").where("client_id", "=", clientId).execute();
}

/** An assignment as it is stored. */
export type OAuthAssignment = Selectable<OAuthAssignmentTable>;

/** A request to a user to grant a token, by its id. */
export async function findAssignment(
  db: RegistryDb,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<OAuthAssignment | undefined> {
  const assignments = db.selectFrom("oauth_assignment").selectAll().where("id", "=", id);
  return assignments.where("account_id", "=", accountId).executeTakeFirst();
}

/** Some open requests to a user to grant tokens, with the applications and their organizations; the newest first. */
export function listAssignments(db: RegistryDb, accountId: string, { after, limit }: ReadFrom<CreationKey>) {
  return db
    .selectFrom("oauth_assignment")
    .innerJoin("oauth_application", "oauth_application.client_id", "oauth_assignment.client_id")
    .innerJoin("account", "account.id", "oauth_application.organization_id")
    .selectAll("oauth_application")
    .select(["oauth_assignment.id as uuid", "oauth_assignment.scope", "oauth_assignment.redirect_uri as redirectUri"])
    .select(["oauth_assignment.created_at as madeAt", "account.username", "account.email"])
    .where("oauth_assignment.account_id", "=", accountId)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("oauth_assignment.created_at", "oauth_assignment.id"), "<", tuple(...after)),
    )
    .orderBy("oauth_assignment.created_at", "desc")
    .orderBy("oauth_assignment.id", "desc")
    .limit(limit)
    .execute();
}

/** Deletes a request to a user to grant a token, and the notification about it. @returns false if there is no such request */
export async function deleteAssignment(
  db: RegistryDb,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const assignments = db.deleteFrom("oauth_assignment").where("id", "=", id).where("account_id", "=", accountId);
  const deleted = await assignments.returning("id").executeTakeFirst();
  if (deleted === undefined) return false;
  await db.deleteFrom("user_notification").where("id", "=", id).execute();
  return true;
}

/** Whether the same request to the user is stored already. */
export async function isAssigned(
  db: RegistryDb,
  row: {
    readonly client_id: string;
    readonly account_id: string;
    readonly scope: string;
    readonly redirect_uri: string;
  },
): Promise<boolean> {
  const { client_id, account_id, scope, redirect_uri } = row;
  const same = await db
    .selectFrom("oauth_assignment")
    .select("id")
    .where("account_id", "=", account_id)
    .where("client_id", "=", client_id)
    .where("scope", "=", scope)
    .where("redirect_uri", "=", redirect_uri)
    .executeTakeFirst();
  return same !== undefined;
}

/** Stores a request to a user to grant a token. */
export async function insertAssignment(db: RegistryDb, assignment: NewRow<"oauth_assignment">): Promise<void> {
  await db.insertInto("oauth_assignment").values(assignment).execute();
}

/** A code as it is stored. */
export type Code = Selectable<OAuthCodeTable>;

/**
 * Removes an unused code from the table and returns it. If the code was exchanged before, deletes the token for which it was exchanged.
 */
export async function useCode(db: RegistryDb, codeHash: string, clientId: string): Promise<Code | undefined> {
  const codes = db.deleteFrom("oauth_code").where("code_hash", "=", codeHash).where("client_id", "=", clientId);
  const used = await codes.where("token_id", "is", null).returningAll().executeTakeFirst();
  if (used !== undefined) return used;
  const replayed = db
    .selectFrom("oauth_code")
    .select("token_id")
    .where("code_hash", "=", codeHash)
    .where("client_id", "=", clientId);
  await db.deleteFrom("oauth_token").where("id", "in", replayed).execute();
  return undefined;
}

/** Stores a code: a new one, or an exchanged one with the id of its token. */
export async function insertCode(db: RegistryDb, code: NewRow<"oauth_code">): Promise<void> {
  await db.insertInto("oauth_code").values(code).execute();
}

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
