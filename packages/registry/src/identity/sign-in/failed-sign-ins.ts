import { createHmac } from "node:crypto";
import type { AccountRow } from "../../access/queries.ts";
import { RegistryError } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import {
  addFailure,
  deleteFailuresWithPrefix,
  findSpentUntil,
  forgiveFailures,
  type LoginMark,
} from "./queries/sign-ins.ts";

/**
 * How many wrong passwords are checked at once before a client has to wait.
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#throttle
 */
export const failuresAtOnce = 100;

/** How often one more password is checked after them. It is also the longest wait. */
export const failureEveryMs = 300_000;

/**
 * How many more are checked in each network from which accounts have signed in, although their clients are told to wait: so that the
 * right password of an account that has signed in there is found among them.
 */
const untoldAtOnce = 1000;

/** How often a right password ends a count: otherwise the owner's sign-ins would give an intruder beside them unlimited guesses. */
export const forgivenEveryMs = 3_600_000;

/** The marks under which failed sign-ins are counted. */
export interface LoginMarks {
  /** Counts those whose answers are told, from all networks together. */
  readonly told: LoginMark;
  /** Counts those from one network whose answers are not told. */
  readonly untold: LoginMark;
}

/**
 * The marks of an account. Its name and its e-mail address have different marks: a shared wait would reveal that they belong together.
 * @param network of the client
 */
export function marksOf(account: Pick<AccountRow, "id">, login: string, network: string): LoginMarks {
  const folded = foldLogin(login);
  return { told: `${toldPrefix(account)}${folded}`, untold: `${account.id} untold ${network} ${folded}` };
}

function toldPrefix({ id }: Pick<AccountRow, "id">): string {
  return `${id} told `;
}

/**
 * The marks of a login that no account has. Clients wait as for a known login, so that waits do not reveal which accounts exist. There
 * are 2^20 of each kind, which bounds the rows that attackers can cause.
 * @param key secret: without it no client can tell which logins share a mark
 */
export function marksOfUnknownLogin(key: Uint8Array, login: string, network: string): LoginMarks {
  const digest = (text: string) => createHmac("sha256", key).update(text).digest("hex").slice(0, 5);
  const folded = foldLogin(login);
  return { told: `unknown told ${digest(folded)}`, untold: `unknown untold ${digest(`${network} ${folded}`)}` };
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

/** The failures that one mark allows. */
export interface FailureBudget {
  readonly mark: LoginMark;
  /** How many at once; one more comes back every {@link failureEveryMs}. */
  readonly atOnce: number;
}

/** The failures that are told at once. */
export function toldFailures({ told }: LoginMarks): FailureBudget {
  return { mark: told, atOnce: failuresAtOnce };
}

/** The failures beyond those, whose checks end as if they had not run. */
export function untoldFailures({ untold }: LoginMarks): FailureBudget {
  return { mark: untold, atOnce: untoldAtOnce };
}

/** What is left of a budget: whether something of it is used, and how long nothing more is left; 0 if something is. */
export interface BudgetLeft {
  readonly isUsed: boolean;
  readonly waitMs: number;
}

/** Reads what is left of a budget. */
export async function findLeft(db: RegistryDb, { mark, atOnce }: FailureBudget, now: number): Promise<BudgetLeft> {
  const spentUntil = (await findSpentUntil(db, mark)) ?? 0;
  return { isUsed: spentUntil > now, waitMs: Math.max(0, spentUntil - (atOnce - 1) * failureEveryMs - now) };
}

/** The refusal of an attempt after too many failures. */
export function tooManyFailures(waitMs: number): RegistryError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new RegistryError("too_many_requests", `Too many failed attempts: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}

/** Counts a failure in the database, for all nodes. */
export function countFailure(db: RegistryDb, { mark }: FailureBudget, now: number): Promise<void> {
  return addFailure(db, mark, { costMs: failureEveryMs, now });
}

/** Ends the counts of an account, since it has signed in with a right password or by an identity provider. */
export async function forgiveFailuresOf(db: RegistryDb, account: Pick<AccountRow, "id">, now: number): Promise<void> {
  await forgiveFailures(db, { prefix: toldPrefix(account), now, everyMs: forgivenEveryMs });
}

/** Ends the count of a login. */
export async function forgiveFailuresOfLogin(db: RegistryDb, { told }: LoginMarks, now: number): Promise<void> {
  await forgiveFailures(db, { prefix: told, now, everyMs: forgivenEveryMs });
}

/** Deletes the failures of every mark of an account. */
export async function deleteFailuresOf(db: RegistryDb, { id }: Pick<AccountRow, "id">): Promise<void> {
  await deleteFailuresWithPrefix(db, `${id} `);
}
