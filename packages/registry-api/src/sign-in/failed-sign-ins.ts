import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { AccountRow } from "../access/queries/accounts.ts";
import { RegistryError } from "../errors.ts";
import { afterPrefix } from "../store/prefixes.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** The wait after the first failure; it doubles with each further one. */
const firstWaitMs = 1000;

/** The longest wait: a stranger's guesses must not shut an owner out for long. */
const longestWaitMs = 300_000;

/** How long after a wait its failures are remembered: long enough for nobody to guess more by pausing than by going on. */
const rememberedMs = 3_600_000;

/** What failures are counted by. */
export type LoginMark = string;

/**
 * The mark of what somebody typed to sign in as an account. The name and the e-mail address have one each: a wait for the one
 * after failures with the other would tell that they belong together.
 */
export function markOf({ id }: Pick<AccountRow, "id">, login: string): LoginMark {
  return `${id} ${normalized(login)}`;
}

/**
 * The mark of what nobody has, so that waits do not tell who exists: one of 2^20, which bounds what strangers can have stored.
 * @param key nobody outside can tell which of them share a mark
 */
export function markOfNobody(key: Uint8Array, login: string): LoginMark {
  const digest = createHmac("sha256", key).update(normalized(login)).digest("hex");
  return `nobody ${digest.slice(0, 5)}`;
}

/** As the database compares: e-mail addresses whatever the case of their letters, names as they are. */
function normalized(login: string): string {
  return login.includes("@") ? login.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : login;
}

/** The wait after so many failures in a row, in milliseconds. */
export function waitAfterFailuresMs(failures: number): number {
  return Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
}

/** Lets those pass who need not wait. @returns whether failures are remembered @throws RegistryError `too_many_requests` */
export async function checkNotLocked(db: RegistryDb, mark: LoginMark, now: number): Promise<boolean> {
  const row = await db.selectFrom("failed_sign_in").select("locked_until").where("mark", "=", mark).executeTakeFirst();
  if (row === undefined || row.locked_until <= now) return row !== undefined;
  const retryAfterSeconds = Math.ceil((row.locked_until - now) / 1000);
  throw new RegistryError("too_many_requests", `Too many failed attempts: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}

/** Counted by the database: failures at the same time count each. */
export async function countFailure(db: RegistryDb, mark: LoginMark, now: number): Promise<void> {
  const { failures } = await db
    .insertInto("failed_sign_in")
    .values({ mark, failures: 1, locked_until: now + firstWaitMs })
    .onConflict((conflict) =>
      conflict.column("mark").doUpdateSet({
        failures: sql`case when failed_sign_in.locked_until <= ${now - rememberedMs} then 1 else failed_sign_in.failures + 1 end`,
        locked_until: now + firstWaitMs,
      }),
    )
    .returning("failures")
    .executeTakeFirstOrThrow();
  await db
    .updateTable("failed_sign_in")
    .set({ locked_until: now + waitAfterFailuresMs(failures) })
    .where("mark", "=", mark)
    .where("failures", "=", failures)
    .execute();
}

/** Forgets the failures of one mark. */
export async function forgetFailures(db: RegistryDb, mark: LoginMark): Promise<void> {
  await db.deleteFrom("failed_sign_in").where("mark", "=", mark).execute();
}

/** Forgets the failures of every mark of an account. */
export async function forgetFailuresOf(db: RegistryDb, account: Pick<AccountRow, "id">): Promise<void> {
  const prefix = markOf(account, "");
  await db.deleteFrom("failed_sign_in").where("mark", ">=", prefix).where("mark", "<", afterPrefix(prefix)).execute();
}

/** Deletes the failures that count no more. */
export async function deleteOldFailures(db: RegistryDb, now: number): Promise<void> {
  await db
    .deleteFrom("failed_sign_in")
    .where("locked_until", "<=", now - rememberedMs)
    .execute();
}
