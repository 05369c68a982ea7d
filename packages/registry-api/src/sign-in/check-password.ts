import { ifWritable } from "@plimsoll/store";
import type { AccountRow } from "../access/queries/accounts.ts";
import type { Passwords } from "../crypto/passwords.ts";
import type { ShownPassword } from "../crypto/remembered-passwords.ts";
import type { RegistryError } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import {
  countFailure,
  type FailureBudget,
  findLeft,
  forgiveFailuresOf,
  markOf,
  markOfUnknownLogin,
  toldFailures,
  tooManyFailures,
  untoldFailures,
} from "./failed-sign-ins.ts";
import { findClientNetwork, hasKnownAccounts, rememberNetwork } from "./known-networks.ts";
import type { LoginMark } from "./queries/failed-sign-ins.ts";

/** What {@link checkPasswordOf} needs. */
export interface PasswordContext {
  /** No transaction: a refusal must not undo the count of failures. */
  readonly db: RegistryDb;
  readonly passwords: Passwords;
  readonly now: number;
}

/** What {@link checkLogin} needs. */
export interface LoginContext extends PasswordContext {
  /** The key for the marks of unknown logins: `deriveKey(key, "logins")`. */
  readonly loginKey: Uint8Array;
}

/** The name or e-mail address that a client signs in with, and the user who has it. */
export interface Login {
  readonly login: string;
  readonly account: AccountRow | undefined;
  /** Verifies the password with a directory, after the account's own; takes at least as long. Absent: only the own password counts. */
  readonly verifyElsewhere?: () => Promise<boolean>;
}

/**
 * Whether a password is that of the account which the client names. An unknown login cannot be told from a known one: response, wait,
 * writes and duration are the same. After many failures all attempts with the same login wait. In a network from which the account
 * has signed in, only failures there count, and a right password does not wait.
 * @throws RegistryError `too_many_requests`
 */
export async function checkLogin(
  context: LoginContext,
  { login, account, verifyElsewhere }: Login,
  password: string,
): Promise<boolean> {
  const markIn = (network?: string) =>
    account === undefined ? markOfUnknownLogin(context.loginKey, login) : markOf(account, login, network);
  return check(context, { markIn, login, account, verifyElsewhere }, password);
}

/**
 * Whether a password is that of an account whose user is already identified.
 * @param verifyElsewhere verifies the password with a directory
 * @throws RegistryError `too_many_requests`
 */
export async function checkPasswordOf(
  context: PasswordContext,
  account: AccountRow,
  {
    password,
    verifyElsewhere,
  }: { readonly password: string; readonly verifyElsewhere?: (() => Promise<boolean>) | undefined },
): Promise<boolean> {
  const { username: login } = account;
  const markIn = (network?: string) => markOf(account, login, network);
  return check(context, { markIn, login, account, verifyElsewhere }, password);
}

/** A password check, with the login that the client has sent. */
interface PasswordCheck {
  /** The mark of the login in a known network, or in all others. */
  readonly markIn: (network?: string) => LoginMark;
  readonly login: string;
  readonly account: AccountRow | undefined;
  readonly verifyElsewhere?: (() => Promise<boolean>) | undefined;
}

/**
 * Failures in a network from which the account has signed in before are counted separately: the guesses of strangers in other networks
 * then do not make the owner wait. In such a network a right password does not wait for wrong ones either: see {@link admission}.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
async function check(
  { db, passwords, now }: PasswordContext,
  { markIn, login, account, verifyElsewhere }: PasswordCheck,
  password: string,
): Promise<boolean> {
  const { remembered } = passwords;
  const { network, isKnown, isDue } = await findClientNetwork(db, account, { address: passwords.address, now });
  const counted = isKnown ? network : undefined;
  const mark = markIn(counted);
  const shown = shownPassword({ login, account }, { password, network });
  const wasRight = remembered.recall(shown, now) !== undefined;
  const admit = async () => (wasRight ? undefined : admission({ db, mark, network, now }));
  await admit();
  const hashed = account?.password_hash ?? null;
  const isOwn = await passwords.verify({ password, hashed, login, isKnown, admit });
  const isRight = isOwn || ((await verifyElsewhere?.()) ?? false);
  const admitted = await admit(); // again: the answers to simultaneous guesses beyond the limit are not told
  const { budget = toldFailures(mark), refusal } = admitted ?? {};
  // The response is the same if the database is read-only: a wrong password is not a failure of the registry.
  if (!isRight || (refusal !== undefined && !isKnown)) {
    if (wasRight) remembered.forget(shown);
    if (!remembered.isRepeated(shown)) await ifWritable(() => countFailure(db, budget, now));
    if (refusal !== undefined) throw refusal;
    return false;
  }
  if (account === undefined) return true;
  if (admitted?.hasFailures ?? true) await ifWritable(() => forgiveFailuresOf(db, account, { network: counted, now }));
  if (isDue) await ifWritable(() => rememberNetwork(db, account, { network, now }));
  return true;
}

/** That a password is checked, and what becomes of the answer. */
interface Admission {
  /** Whether failures count. */
  readonly hasFailures: boolean;
  /** What a failure counts for. */
  readonly budget: FailureBudget;
  /** The answer, unless the password is right and the account has signed in from the network. */
  readonly refusal?: RegistryError;
}

/**
 * Whether a password is checked after the failures so far. Beyond a hundred, clients in networks without accounts are refused at once.
 * Elsewhere passwords are still checked, a thousand more, and only the right one of an account known there gets another answer: so the
 * owner does not wait for the guesses of neighbours. For logins that nobody has, and for accounts known elsewhere, the same work is
 * done and the same is answered, so that neither answers nor times show which accounts exist.
 * @throws RegistryError `too_many_requests`
 */
async function admission({
  db,
  mark,
  network,
  now,
}: {
  readonly db: RegistryDb;
  readonly mark: LoginMark;
  readonly network: string;
  readonly now: number;
}): Promise<Admission> {
  const told = toldFailures(mark);
  const { isUsed: hasFailures, waitMs } = await findLeft(db, told, now);
  if (waitMs === 0) return { hasFailures, budget: told };
  const refusal = tooManyFailures(waitMs);
  if (!(await hasKnownAccounts(db, network, now))) throw refusal;
  const untold = untoldFailures(mark);
  if ((await findLeft(db, untold, now)).waitMs > 0) throw refusal;
  return { hasFailures, budget: untold, refusal };
}

/** A password as it is remembered: by the account that has the login, and by the network. */
export function shownPassword(
  { login, account }: Pick<Login, "login" | "account">,
  { password, network }: Pick<ShownPassword, "password" | "network">,
): ShownPassword {
  if (account === undefined) return { owner: login, network, password };
  const { id, credential_version, password_hash } = account;
  return { owner: id, version: JSON.stringify([credential_version, password_hash]), network, password };
}
