import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../../lists/read-from.ts";
import type { AppTokenTable } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** An app token as it is stored. */
export type AppToken = Selectable<AppTokenTable>;

/** The lifetime by which "soon" is computed if the registry's tokens do not expire: four weeks. */
const usualLifetimeSeconds = 28 * 86_400;

/** A filter of app tokens. */
export interface AppTokenFilter {
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
