import { compileOnce, ifWritable, type Parameter } from "@plimsoll/store";
import { type InferResult, type Selectable, sql } from "kysely";
import { hashSecret } from "../../../crypto/secrets.ts";
import type { CreationKey, ReadFrom } from "../../../lists/list-pages.ts";
import type { AppTokenTable } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** The key of a secret: the secret itself, or the id that a registry token names. */
export type TokenKey = { readonly secret: string } | { readonly id: string };

/** The enabled robot with a name and its token, or with an id. */
export async function findRobotRow(
  db: RegistryDb,
  key: { readonly username: string; readonly secret: string } | { readonly id: string },
): Promise<RobotRow | undefined> {
  if ("id" in key) return (await findRobotById(db, key))[0];
  return enabledRobots(db)
    .where("account.username", "=", key.username)
    .where("robot.token_hash", "=", hashSecret(key.secret))
    .executeTakeFirst();
}

/** A robot, with the id of its namespace. */
export type RobotRow = InferResult<ReturnType<typeof enabledRobots>>[number];

/** The enabled robot of an id. */
export const findRobotById = compileOnce((db: RegistryDb, parameter: Parameter<{ id: string }>) =>
  enabledRobots(db).where("account.id", "=", parameter("id")),
);

function enabledRobots(db: RegistryDb) {
  return db
    .selectFrom("account")
    .innerJoin("robot", "robot.account_id", "account.id")
    .innerJoin("account as owner", "owner.id", "robot.owner_id")
    .selectAll("account")
    .select("robot.owner_id")
    .where("account.enabled", "=", 1)
    .where("owner.enabled", "=", 1);
}

/** The id of the robot with a name and a federation. */
export async function findFederatedRobot(
  db: RegistryDb,
  { username, issuer, subject }: { readonly username: string; readonly issuer: string; readonly subject: string },
): Promise<string | undefined> {
  const found = await db
    .selectFrom("account")
    .innerJoin("robot_federation", "robot_federation.robot_id", "account.id")
    .select("account.id")
    .where("account.username", "=", username)
    .where("robot_federation.issuer", "=", issuer)
    .where("robot_federation.subject", "=", subject)
    .executeTakeFirst();
  return found?.id;
}

/** Stores when a robot was used, unless the database is read-only. */
export async function storeRobotAccess(db: RegistryDb, id: string, now: number): Promise<void> {
  const update = db.updateTable("account").set({ last_accessed_at: now }).where("id", "=", id);
  await ifWritable(() => update.execute());
}

/** An app token that has not expired, with its enabled user. */
export function findAppTokenRow(db: RegistryDb, key: TokenKey, now: number) {
  const tokens = db
    .selectFrom("app_token")
    .innerJoin("account", "account.id", "app_token.account_id")
    .selectAll("account")
    .select(["app_token.id as token_id", "app_token.title", "app_token.last_accessed_at as token_accessed_at"])
    .where("account.enabled", "=", 1)
    .where("account.kind", "=", "user")
    .where((where) => where.or([where("app_token.expires_at", "is", null), where("app_token.expires_at", ">", now)]));
  return (
    "id" in key
      ? tokens.where("app_token.id", "=", key.id)
      : tokens.where("app_token.token_hash", "=", hashSecret(key.secret))
  ).executeTakeFirst();
}

/** Stores when an app token was used, unless the database is read-only. */
export async function storeAppTokenAccess(db: RegistryDb, id: string, now: number): Promise<void> {
  const update = db.updateTable("app_token").set({ last_accessed_at: now }).where("id", "=", id);
  await ifWritable(() => update.execute());
}

/** A token of a repository that is not deleted, in an enabled namespace. */
export function findRepositoryTokenRow(db: RegistryDb, key: TokenKey) {
  const tokens = db
    .selectFrom("repository_token")
    .innerJoin("image_repository", "image_repository.id", "repository_token.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["repository_token.id", "friendly_name", "repository_token.repository_id", "role"])
    .where("image_repository.state", "!=", "deleted")
    .where("account.enabled", "=", 1);
  return (
    "id" in key
      ? tokens.where("repository_token.id", "=", key.id)
      : tokens.where("repository_token.code_hash", "=", hashSecret(key.secret))
  ).executeTakeFirst();
}

/** An app token as it is stored. */
export type AppToken = Selectable<AppTokenTable>;

/** The lifetime by which "soon" is computed if the registry's tokens do not expire: four weeks. */
const usualLifetimeSeconds = 28 * 86_400;

/** A filter of app tokens. */
interface AppTokenFilter {
  /** Only unexpired tokens in the last tenth of their lifetime. */
  readonly onlyExpiring: boolean;
  readonly now: number;
  readonly lifetimeSeconds?: number | undefined;
}

/** Some app tokens of an account, the newest first. Includes expired ones, unless `onlyExpiring`. */
export async function listAppTokens(
  db: RegistryDb,
  accountId: string,
  { onlyExpiring, now, lifetimeSeconds = usualLifetimeSeconds, after, limit }: AppTokenFilter & ReadFrom<CreationKey>,
): Promise<readonly AppToken[]> {
  const query = db
    .selectFrom("app_token")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), "<", tuple(...after)))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (!onlyExpiring) return query.execute();
  const soon = now + lifetimeSeconds * 100;
  return query.where("expires_at", ">", now).where("expires_at", "<=", soon).execute();
}

/** An app token of an account, also one that has expired. */
export async function findAppToken(db: RegistryDb, accountId: string, id: string): Promise<AppToken | undefined> {
  return db
    .selectFrom("app_token")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/** Stores an app token. */
export async function insertAppToken(db: RegistryDb, token: NewRow<"app_token">): Promise<void> {
  await db.insertInto("app_token").values(token).execute();
}

/** Deletes an app token. */
export async function removeAppToken(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("app_token").where("id", "=", id).execute();
}

/** Ends every session of an account, and the registry tokens that were made for it. */
export async function endCredentials(db: RegistryDb, accountId: string): Promise<void> {
  await db
    .updateTable("account")
    .set({ credential_version: sql`credential_version + 1` }) // ends registry tokens and sessions in browsers
    .where("id", "=", accountId)
    .execute();
  await db.deleteFrom("session").where("account_id", "=", accountId).execute();
}

/** The session with that hash of a cookie's value. */
export const findByHash = compileOnce((db: RegistryDb, parameter: Parameter<{ idHash: string }>) =>
  db.selectFrom("session").selectAll().where("id_hash", "=", parameter("idHash")),
);

/** The session of an identity provider with which a session began. */
export function findProviderSession(db: RegistryDb, idHash: string) {
  return db
    .selectFrom("session")
    .select(["outside_service", "outside_token_sealed"])
    .where("id_hash", "=", idHash)
    .executeTakeFirst();
}

/** Stores that the password was just given. @returns false for a session that is stored in the browser only */
export async function refreshSession(db: RegistryDb, idHash: string, now: number): Promise<boolean> {
  const refreshed = await db
    .updateTable("session")
    .set({ fresh_at: now })
    .where("id_hash", "=", idHash)
    .returning("id_hash")
    .executeTakeFirst();
  return refreshed !== undefined;
}

/** Ends one session. */
export async function endSession(db: RegistryDb, idHash: string): Promise<void> {
  await db.deleteFrom("session").where("id_hash", "=", idHash).execute();
}

/** Stores a session. */
export async function insertSession(db: RegistryDb, session: NewRow<"session">): Promise<void> {
  await db.insertInto("session").values(session).execute();
}
