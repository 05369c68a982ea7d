import { ifWritable } from "@plimsoll/store";
import { type AccountRow, updateAccount } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import type { ShownPassword } from "../../crypto/remembered-passwords.ts";
import type { RegistryError } from "../../errors.ts";
import { deleteEmailCodes } from "../../mail/queries/email-codes.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import {
  countFailure,
  deleteFailuresOf,
  type FailureBudget,
  findLeft,
  forgiveFailuresOf,
  forgiveFailuresOfLogin,
  type LoginMarks,
  marksOf,
  marksOfUnknownLogin,
  toldFailures,
  tooManyFailures,
  untoldFailures,
} from "./failed-sign-ins.ts";
import { findClientNetwork, hasKnownAccounts, noteSignInFrom, rememberNetwork } from "./known-networks.ts";
import { deleteSignInNetworks } from "./queries/sign-ins.ts";
import { endCredentials } from "./queries/token-holders.ts";

/** What {@link checkLogin} needs. */
export interface LoginDeps extends Pick<CallContext, "db" | "passwords" | "now"> {
  /** The key for the marks of unknown logins: `deriveKey(key, "logins")`. */
  readonly loginKey: Uint8Array;
}

/** The name or e-mail address that a client signs in with, and the user who has it. */
export interface Login {
  readonly login: string;
  readonly account: AccountRow | undefined;
  /**
   * Verifies the password with a directory, after the account's own; takes at least as long. It gives the account of the directory's user.
   * Absent: only the own password counts.
   */
  readonly verifyElsewhere?: () => Promise<AccountRow | undefined>;
}

/**
 * The account that a login and a password are those of. An unknown login cannot be told from a known one: response, wait, writes and
 * duration are the same. After many failures all attempts with the same login wait, but a right password does not in a network from
 * which the account has signed in.
 * @throws RegistryError `too_many_requests`
 */
export async function checkLogin(
  deps: LoginDeps,
  { login, account, verifyElsewhere }: Login,
  password: string,
): Promise<AccountRow | undefined> {
  const marksIn = (network: string) =>
    account === undefined ? marksOfUnknownLogin(deps.loginKey, login, network) : marksOf(account, login, network);
  return check(deps, { marksIn, login, account, verifyElsewhere }, password);
}

/**
 * Whether a password is that of an account whose user is already identified. Must not run in a transaction: a refusal must not undo the count of
 * failures.
 * @param verifyElsewhere verifies the password with a directory
 * @throws RegistryError `too_many_requests`
 */
export async function checkPasswordOf(
  context: Pick<CallContext, "db" | "passwords" | "now">,
  account: AccountRow,
  {
    password,
    verifyElsewhere,
  }: { readonly password: string; readonly verifyElsewhere?: (() => Promise<boolean>) | undefined },
): Promise<boolean> {
  const { username: login } = account;
  const marksIn = (network: string) => marksOf(account, login, network);
  const accountElsewhere = async () => ((await verifyElsewhere?.()) ? account : undefined);
  return (await check(context, { marksIn, login, account, verifyElsewhere: accountElsewhere }, password)) !== undefined;
}

/** A password check, with the login that the client has sent. */
interface PasswordCheck {
  /** The marks of the login for a client in a network. */
  readonly marksIn: (network: string) => LoginMarks;
  readonly login: string;
  readonly account: AccountRow | undefined;
  readonly verifyElsewhere?: Login["verifyElsewhere"];
}

/**
 * In a network from which the account has signed in before, a right password does not wait for the wrong ones of others: see
 * {@link admission}.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
async function check(
  { db, passwords, now }: Pick<CallContext, "db" | "passwords" | "now">,
  { marksIn, login, account, verifyElsewhere }: PasswordCheck,
  password: string,
): Promise<AccountRow | undefined> {
  const { remembered, address } = passwords;
  const { network, isKnown, isDue } = await findClientNetwork(db, account, { address, now });
  const marks = marksIn(network);
  const shown = shownPassword({ login, account }, { password, network });
  const wasRight = remembered.recall(shown, now) !== undefined;
  const admit = async () => (wasRight ? undefined : admission({ db, marks, network, now }));
  await admit();
  const hashed = account?.password_hash ?? undefined;
  const isOwn = await passwords.verify({ password, hashed, login, isKnown, admit });
  const found = isOwn ? account : await verifyElsewhere?.();
  const admitted = await admit(); // again: the answers to simultaneous guesses beyond the limit are not told
  const { budget = toldFailures(marks), refusal } = admitted ?? {};
  const isOfLogin = found?.id === account?.id;
  // The response is the same if the database is read-only: a wrong password is not a failure of the registry.
  if (found === undefined || (refusal !== undefined && !(isKnown && isOfLogin))) {
    if (wasRight) remembered.forget(shown);
    const isRepeated = remembered.isRepeated({ owner: marks.told, network, password });
    if (!isRepeated) await ifWritable(() => countFailure(db, budget, now));
    if (refusal !== undefined) throw refusal;
    return undefined;
  }
  if (!isOfLogin) {
    await ifWritable(() => forgiveFailuresOfLogin(db, marks, now));
    await ifWritable(() => noteSignInFrom(db, found, { address, now }));
    return found;
  }
  if (admitted?.hasFailures ?? true) await ifWritable(() => forgiveFailuresOf(db, found, now));
  if (isDue) await ifWritable(() => rememberNetwork(db, found, { network, now }));
  return found;
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
 * In others passwords are still checked, a thousand more in each, and only the right one of an account known there gets another answer:
 * so the owner does not wait for the guesses of others. For logins that nobody has, and for accounts known elsewhere, the same work is
 * done and the same is answered, so that neither answers nor times show which accounts exist.
 * @throws RegistryError `too_many_requests`
 */
async function admission({
  db,
  marks,
  network,
  now,
}: {
  readonly db: RegistryDb;
  readonly marks: LoginMarks;
  readonly network: string;
  readonly now: number;
}): Promise<Admission> {
  const told = toldFailures(marks);
  const { isUsed: hasFailures, waitMs } = await findLeft(db, told, now);
  if (waitMs === 0) return { hasFailures, budget: told };
  const refusal = tooManyFailures(waitMs);
  if (!(await hasKnownAccounts(db, network, now))) throw refusal;
  const untold = untoldFailures(marks);
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

/**
 * Sets the password of an account. Its sessions and registry tokens end, and so do waits after failed sign-ins. No network is known any
 * more. Codes that were sent to recover the account or to change its address end too: an intruder may have asked for them, and the
 * owner changes the password to lock the intruder out.
 */
export async function setPassword(
  { db }: Pick<CallContext, "db">,
  account: Pick<AccountRow, "id">,
  passwordHash: string,
): Promise<void> {
  await updateAccount(db, account.id, { password_hash: passwordHash });
  await deleteFailuresOf(db, account);
  await deleteSignInNetworks(db, account.id);
  await deleteEmailCodes(db, account.id, ["recover", "change_email"]);
  await endCredentials(db, account.id);
}
