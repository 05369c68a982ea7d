import { sql } from "kysely";
import type { Passwords } from "../crypto/passwords.ts";
import { RegistryError } from "../errors.ts";
import type { AccountRow } from "../store/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** The wait after the first failure; it doubles with each further one. */
const firstWaitMs = 1000;

/** The longest wait: a stranger's guesses must not shut an owner out for long. */
const longestWaitMs = 300_000;

/** What checking passwords needs. */
export interface PasswordContext {
  /** No transaction: a refusal must not undo the count of failures. */
  readonly db: RegistryDb;
  readonly passwords: Passwords;
  readonly now: number;
}

/**
 * Whether a password is the account's; false, as slowly, where there is no account. After a failure nobody can try again for a
 * while, which doubles each time.
 * @throws RegistryError `too_many_requests`
 */
export async function checkPasswordOf(
  { db, passwords, now }: PasswordContext,
  account: AccountRow | undefined,
  password: string,
): Promise<boolean> {
  if (account !== undefined) checkNotLocked(account, now);
  const isRight = await passwords.verify(password, account?.password_hash ?? null);
  if (account === undefined) return false;
  checkNotLocked(await getLock(db, account.id), now); // guesses that are made at once: right or wrong, the first one counts
  if (!isRight) await countFailure(db, account.id, now);
  else if (account.failed_sign_ins > 0) await forgetFailures(db, account.id);
  return isRight;
}

/** The wait after so many failures in a row, in milliseconds. */
export function waitAfterFailuresMs(failures: number): number {
  return Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
}

type Lock = Pick<AccountRow, "locked_until">;

function getLock(db: RegistryDb, id: string): Promise<Lock> {
  return db.selectFrom("account").select("locked_until").where("id", "=", id).executeTakeFirstOrThrow();
}

function checkNotLocked({ locked_until }: Lock, now: number): void {
  if (locked_until <= now) return;
  const retryAfterSeconds = Math.ceil((locked_until - now) / 1000);
  throw new RegistryError("too_many_requests", `Too many failed attempts: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}

/** Counted by the database: failures at the same time count each. */
async function countFailure(db: RegistryDb, id: string, now: number): Promise<void> {
  const { failures } = await db
    .updateTable("account")
    .set({ failed_sign_ins: sql`failed_sign_ins + 1` })
    .where("id", "=", id)
    .returning("failed_sign_ins as failures")
    .executeTakeFirstOrThrow();
  await db
    .updateTable("account")
    .set({ locked_until: now + waitAfterFailuresMs(failures) })
    .where("id", "=", id)
    .execute();
}

async function forgetFailures(db: RegistryDb, id: string): Promise<void> {
  await db.updateTable("account").set({ failed_sign_ins: 0, locked_until: 0 }).where("id", "=", id).execute();
}
