import { sql } from "kysely";
import { afterPrefix } from "../../../store/prefixes.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** The key under which failures are counted. */
export type LoginMark = string;

/** Until when the failures of a mark count; undefined if there are none. */
export async function findSpentUntil(db: RegistryDb, mark: LoginMark): Promise<number | undefined> {
  const row = await db.selectFrom("failed_sign_in").select("spent_until").where("mark", "=", mark).executeTakeFirst();
  return row?.spent_until;
}

/** Counts a failure, in one statement, so that simultaneous failures all count. */
export async function addFailure(
  db: RegistryDb,
  mark: LoginMark,
  { costMs, now }: { readonly costMs: number; readonly now: number },
): Promise<void> {
  await db
    .insertInto("failed_sign_in")
    .values({ mark, spent_until: now + costMs, forgiven_at: 0 })
    .onConflict((conflict) =>
      conflict.column("mark").doUpdateSet({
        spent_until: sql`case when failed_sign_in.spent_until < ${now} then ${now} else failed_sign_in.spent_until end + ${costMs}`,
      }),
    )
    .execute();
}

/** The failures of some marks, those that begin with a prefix, and the time now. */
export interface ForgivenFailures {
  readonly prefix: string;
  readonly now: number;
  /** Failures are not forgiven again before so many milliseconds have passed. */
  readonly everyMs: number;
}

/** Ends the count of failures. It only reads if there is nothing to end. */
export async function forgiveFailures(db: RegistryDb, { prefix, now, everyMs }: ForgivenFailures): Promise<void> {
  const due = await db
    .selectFrom("failed_sign_in")
    .select("mark")
    .where("mark", ">=", prefix)
    .where("mark", "<", afterPrefix(prefix))
    .where("spent_until", ">", now)
    .where("forgiven_at", "<=", now - everyMs)
    .limit(100) // an account has a mark for each of its logins
    .execute();
  if (due.length === 0) return;
  await db
    .updateTable("failed_sign_in")
    .set({ spent_until: now, forgiven_at: now })
    .where(
      "mark",
      "in",
      due.map(({ mark }) => mark),
    )
    .where("forgiven_at", "<=", now - everyMs)
    .execute();
}

/** How long it is known that failures were forgiven, at least as long as that matters. */
const rememberedMs = 86_400_000;

/** Deletes the failures that no longer count. */
export async function deleteOldFailures(db: RegistryDb, now: number): Promise<void> {
  await db
    .deleteFrom("failed_sign_in")
    .where("spent_until", "<=", now - rememberedMs)
    .execute();
}

/** Deletes the failures of every mark with a prefix. */
export async function deleteFailuresWithPrefix(db: RegistryDb, prefix: string): Promise<void> {
  await db.deleteFrom("failed_sign_in").where("mark", ">=", prefix).where("mark", "<", afterPrefix(prefix)).execute();
}
