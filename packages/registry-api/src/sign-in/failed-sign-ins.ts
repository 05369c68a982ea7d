import { createHmac } from "node:crypto";
import type { AccountRow } from "../access/queries/accounts.ts";
import { RegistryError } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { addFailure, deleteFailuresWithPrefix, findLock, type LoginMark, lockMark } from "./queries/failed-sign-ins.ts";

/** The wait after the first failure; it doubles with each further one. */
const firstWaitMs = 1000;

/** The longest wait, since the guesses of an attacker must not lock an owner out for long. */
const longestWaitMs = 300_000;

/**
 * The mark under which failed sign-ins of an account are counted. Its name and its e-mail address have different marks: a shared wait
 * would reveal that they belong together.
 */
export function markOf({ id }: Pick<AccountRow, "id">, login: string): LoginMark {
  return `${id} ${foldLogin(login)}`;
}

/**
 * The mark of a login that no account has. Clients wait as for a known login, so that waits do not reveal which accounts exist. There
 * are 2^20 such marks, which bounds the rows that attackers can cause.
 * @param key secret: without it no client can tell which logins share a mark
 */
export function markOfUnknownLogin(key: Uint8Array, login: string): LoginMark {
  const digest = createHmac("sha256", key).update(foldLogin(login)).digest("hex");
  return `unknown ${digest.slice(0, 5)}`;
}

/**
 * One form for all logins that a directory may take for the same name: it ignores case, widths, blanks at the ends, and characters
 * without an appearance, and some ignore accents. Otherwise each way of writing a name would give further guesses.
 * @see https://www.rfc-editor.org/rfc/rfc4518#section-2
 */
export function foldLogin(login: string): string {
  const letters = login
    .normalize("NFKD")
    .replace(/\s/g, " ")
    .replace(/[\p{M}\p{Cf}\p{Cc}]/gu, "");
  const folded = letters.toUpperCase().toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return folded.split(" ").filter(Boolean).join(" ");
}

/** The wait after a number of failures in a row. */
export function waitAfterFailuresMs(failures: number): number {
  return Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
}

/** Refuses an attempt during a wait. @returns whether failures are stored @throws RegistryError `too_many_requests` */
export async function checkNotLocked(db: RegistryDb, mark: LoginMark, now: number): Promise<boolean> {
  const row = await findLock(db, mark);
  if (row === undefined || row.locked_until <= now) return row !== undefined;
  const retryAfterSeconds = Math.ceil((row.locked_until - now) / 1000);
  throw new RegistryError("too_many_requests", `Too many failed attempts: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}

/** Counts a failure in the database, so that simultaneous failures all count, and locks the mark. */
export async function countFailure(db: RegistryDb, mark: LoginMark, now: number): Promise<void> {
  const failures = await addFailure(db, mark, { lockedUntil: now + firstWaitMs, now });
  await lockMark(db, { mark, failures, lockedUntil: now + waitAfterFailuresMs(failures) });
}

/** Deletes the failures of every mark of an account. */
export async function deleteFailuresOf(db: RegistryDb, account: Pick<AccountRow, "id">): Promise<void> {
  const prefix = markOf(account, "");
  await deleteFailuresWithPrefix(db, prefix);
}
