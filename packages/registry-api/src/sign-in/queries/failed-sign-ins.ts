import { sql } from "kysely";
import { afterPrefix } from "../../store/prefixes.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** How long failures are kept after a wait: so long that an attacker gains nothing by pausing. */
const rememberedMs = 3_600_000;

/** The key under which failures are counted. */
export type LoginMark = string;

/** Deletes the failures of one mark. */
export async function deleteFailures(db: RegistryDb, mark: LoginMark): Promise<void> {
  await db.deleteFrom("failed_sign_in").where("mark", "=", mark).execute();
}

/** Deletes the failures that no longer count. */
export async function deleteOldFailures(db: RegistryDb, now: number): Promise<void> {
  await db
    .deleteFrom("failed_sign_in")
    .where("locked_until", "<=", now - rememberedMs)
    .execute();
}

/** The instant until which a mark is locked. */
export function findLock(db: RegistryDb, mark: LoginMark) {
  return db.selectFrom("failed_sign_in").select("locked_until").where("mark", "=", mark).executeTakeFirst();
}

/** Counts a failure, and locks the mark. @returns how many there have been in a row */
export async function addFailure(
  db: RegistryDb,
  mark: LoginMark,
  { lockedUntil, now }: { readonly lockedUntil: number; readonly now: number },
): Promise<number> {
  const { failures } = await db
    .insertInto("failed_sign_in")
    .values({ mark, failures: 1, locked_until: lockedUntil })
    .onConflict((conflict) =>
      conflict.column("mark").doUpdateSet({
        failures: sql`case when failed_sign_in.locked_until <= ${now - rememberedMs} then 1 else failed_sign_in.failures + 1 end`,
        locked_until: lockedUntil,
      }),
    )
    .returning("failures")
    .executeTakeFirstOrThrow();
  return failures;
}

/** Extends the lock of a mark, unless another failure has been counted. */
export async function lockMark(
  db: RegistryDb,
  lock: { readonly mark: LoginMark; readonly failures: number; readonly lockedUntil: number },
): Promise<void> {
  await db
    .updateTable("failed_sign_in")
    .set({ locked_until: lock.lockedUntil })
    .where("mark", "=", lock.mark)
    .where("failures", "=", lock.failures)
    .execute();
}

/** Deletes the failures of every mark with a prefix. */
export async function deleteFailuresWithPrefix(db: RegistryDb, prefix: string): Promise<void> {
  await db.deleteFrom("failed_sign_in").where("mark", ">=", prefix).where("mark", "<", afterPrefix(prefix)).execute();
}
