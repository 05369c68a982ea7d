import type { RegistryDb } from "../../store/tables/all.ts";

/** Owners can see their expired tokens for a day. */
const keptMs = 86_400_000;

/** Deletes sessions, codes, logout tokens and tokens that have expired. Tokens stay for a day, so that their owners see why they are refused. */
export async function deleteExpiredRows(db: RegistryDb, now: number): Promise<void> {
  for (const table of ["session", "oauth_code", "logout_token"] as const) {
    await db.deleteFrom(table).where("expires_at", "<=", now).execute();
  }
  for (const table of ["oauth_token", "app_token"] as const) {
    await db
      .deleteFrom(table)
      .where("expires_at", "<=", now - keptMs)
      .execute();
  }
  await db.deleteFrom("email_code").where("expires_at", "<=", now).where("confirmed_at", "is", null).execute();
}
