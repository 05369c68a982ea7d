import { ifWritable } from "@plimsoll/store";
import { type AccountRow, findUserByLogin } from "../../access/queries.ts";
import { notePresenceIfWritable } from "../../accounts/external-logins/departures.ts";
import { accountOfDirectoryUser } from "../../accounts/external-logins/directory-account.ts";
import { findLinkedAccount } from "../../accounts/external-logins/queries.ts";
import type { CallContext } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { type Directory, noDirectory } from "../../ports/identities.ts";
import { lowerLetters } from "../../values/names.ts";
import { checkLogin, checkPasswordOf, type LoginDeps } from "./check-password.ts";
import { foldLogin } from "./failed-sign-ins.ts";
import {
  deleteOlderDirectoryLogins,
  findAccountOfDirectoryLogin,
  findDirectoryLogin,
  putDirectoryLogin,
} from "./queries/sign-ins.ts";

/** What {@link identifyLogin} needs. */
export interface IdentifyLoginDeps extends LoginDeps, Pick<Deps, "settings" | "directory"> {}

/**
 * The user with a login, a name or an e-mail address, and a password; undefined if there is none. The directory is used only for logins
 * whose account has no own password, so that the others work without the directory. A user of the directory who signs in for the
 * first time gets an account. Must not run in a transaction, since failures are counted.
 * @throws RegistryError `too_many_requests`; `downstream_issue` of the directory; `insufficient_scope` if its user cannot have an account
 */
export async function identifyLogin(
  deps: IdentifyLoginDeps,
  login: string,
  password: string,
): Promise<AccountRow | undefined> {
  const { db } = deps;
  const folded = foldLogin(login);
  const named = await findUserByLogin(db, folded); // failures count for this user, however the name is written
  const account = login === folded ? named : await findUserByLogin(db, login);
  const { directory } = deps;
  if (!directory.signsUsersIn || hasPassword(account)) {
    const counted = { login, account: account ?? named };
    return (await checkLogin(deps, counted, password)) === undefined ? undefined : account;
  }
  let found: AccountRow | undefined;
  const { service } = directory;
  const verifyElsewhere = async () => {
    const user = await directory.authenticate(login, password);
    if (user === undefined) return undefined;
    const known = await accountOfDirectoryUser({ ...deps, service }, user);
    const seen = { service, user, now: deps.now };
    found = deps.settings.readOnly ? known : await notePresenceIfWritable(db, known, seen);
    return found;
  };
  const counted = account ?? named ?? (await findAccountOfDirectoryLogin(db, folded));
  const checked = await checkLogin(deps, { login, account: counted, verifyElsewhere }, password);
  if (checked === undefined || found === undefined) return undefined;
  if (account === undefined) await noteDirectoryLogin(deps, found, folded);
  return found;
}

/** How much later the next sign-in with the same login is stored. */
const renewedMs = 86_400_000;

/** How many such logins of an account are kept. */
const keptLogins = 32;

/** Remembers a login that only the directory knows, such as a second address: failures with it count for the account from then on. */
async function noteDirectoryLogin(
  { db, now }: Pick<IdentifyLoginDeps, "db" | "now">,
  { id: account_id }: AccountRow,
  login: string,
): Promise<void> {
  const known = await findDirectoryLogin(db, login);
  if (known?.account_id === account_id && known.seen_at > now - renewedMs) return;
  await ifWritable(async () => {
    await putDirectoryLogin(db, { login, account_id, seen_at: now });
    await deleteOlderDirectoryLogins(db, account_id, keptLogins);
  });
}

/** Whether a password is that of an identified user, in the registry or in the directory. @throws RegistryError `too_many_requests`, `downstream_issue` */
export async function checkOwnPassword(
  context: Pick<CallContext, "db" | "passwords" | "now" | "directory">,
  account: AccountRow,
  password: string,
): Promise<boolean> {
  const { directory } = context;
  if (directory === noDirectory || hasPassword(account)) return checkPasswordOf(context, account, { password });
  return checkPasswordOf(context, account, {
    password,
    verifyElsewhere: () => isOf(context, directory, { account, password }),
  });
}

async function isOf(
  { db }: Pick<CallContext, "db">,
  directory: Directory,
  { account, password }: { readonly account: AccountRow; readonly password: string },
): Promise<boolean> {
  const user = await directory.authenticate(account.username, password);
  if (user === undefined) return false;
  return (await findLinkedAccount(db, directory.service, lowerLetters(user.username)))?.id === account.id;
}

function hasPassword(account: AccountRow | undefined): boolean {
  return account !== undefined && account.password_hash !== null;
}
