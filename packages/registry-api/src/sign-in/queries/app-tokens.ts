import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../lists/read-from.ts";
import type { AppTokenTable } from "../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

/** An app token as it is stored. */
export type AppToken = Selectable<AppTokenTable>;

/** Four weeks, in seconds: what "soon" is measured by where tokens do not expire. */
const usualLifetimeSeconds = 28 * 86_400;

/** Which app tokens to list. */
export interface AppTokenFilter {
  /** Only those that end soon, in the last tenth of how long they last, and have not ended. */
  readonly onlyExpiring: boolean;
  readonly now: number;
  readonly lifetimeSeconds?: number | undefined;
}

/** Some app tokens of an account, the newest first; those that have ended too, unless only the expiring are asked for. */
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

/** The app token of an account, ended or not. */
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
