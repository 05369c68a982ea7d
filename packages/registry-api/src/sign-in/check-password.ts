import { ifWritable } from "@plimsoll/store";
import type { AccountRow } from "../access/queries/accounts.ts";
import type { Passwords } from "../crypto/passwords.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkNotLocked, countFailure, markOf, markOfUnknownLogin } from "./failed-sign-ins.ts";
import { forgetFailures, type LoginMark } from "./queries/failed-sign-ins.ts";

/** What checking passwords needs. */
export interface PasswordContext {
  /** No transaction: a refusal must not undo the count of failures. */
  readonly db: RegistryDb;
  readonly passwords: Passwords;
  readonly now: number;
}

/** What {@link checkLogin} needs. */
export interface LoginContext extends PasswordContext {
  /** Marks logins that no account has: `deriveKey(key, "logins")`. */
  readonly loginKey: Uint8Array;
}

/** The name or e-mail address that a client signs in with, and the user who has it. */
export interface Login {
  readonly login: string;
  readonly account: AccountRow | undefined;
  /** Asks another service whether the password is right; absent where only that of the account is. Costs as much as here, and more. */
  readonly elsewhere?: () => Promise<boolean>;
}

/**
 * Whether a password is that of the account which the client names. For an unknown account it never is, and nothing else differs:
 * the answer, the wait, what is written and how long it takes. After a failure no client can try the same login for a while,
 * which doubles each time.
 * @throws RegistryError `too_many_requests`
 */
export async function checkLogin(
  context: LoginContext,
  { login, account, elsewhere }: Login,
  password: string,
): Promise<boolean> {
  const mark = account === undefined ? markOfUnknownLogin(context.loginKey, login) : markOf(account, login);
  return check(context, { mark, login, passwordHash: account?.password_hash ?? null, elsewhere }, password);
}

/**
 * Whether a password is that of an account whose user is already identified.
 * @param elsewhere asks another service whether it is right
 * @throws RegistryError `too_many_requests`
 */
export async function checkPasswordOf(
  context: PasswordContext,
  account: AccountRow,
  { password, elsewhere }: { readonly password: string; readonly elsewhere?: (() => Promise<boolean>) | undefined },
): Promise<boolean> {
  const { username: login, password_hash: passwordHash } = account;
  return check(context, { mark: markOf(account, login), login, passwordHash, elsewhere }, password);
}

/** A password check, with the login that the client has sent. */
interface Checked {
  readonly mark: LoginMark;
  readonly login: string;
  readonly passwordHash: string | null;
  readonly elsewhere?: (() => Promise<boolean>) | undefined;
}

async function check(
  { db, passwords, now }: PasswordContext,
  { mark, login, passwordHash, elsewhere }: Checked,
  password: string,
): Promise<boolean> {
  const admit = () => checkNotLocked(db, mark, now);
  await admit();
  const isOwn = await passwords.verify({ password, hashed: passwordHash, login, admit });
  const isRight = isOwn || ((await elsewhere?.()) ?? false);
  const hasFailed = await admit(); // of guesses made at once, right or wrong, the first one counts
  // What cannot be counted is answered all the same: a wrong password is no failure of the registry.
  if (!isRight) await ifWritable(() => countFailure(db, mark, now));
  else if (hasFailed) await ifWritable(() => forgetFailures(db, mark));
  return isRight;
}
