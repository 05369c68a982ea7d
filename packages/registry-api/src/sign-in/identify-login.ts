import { type AccountRow, findUserByLogin } from "../access/queries/accounts.ts";
import { notePresenceIfWritable } from "../external-logins/departures.ts";
import { accountOfDirectoryUser } from "../external-logins/directory-account.ts";
import { findLinkedAccount } from "../external-logins/queries.ts";
import type { Directory } from "../ports/identities.ts";
import type { Ports } from "../ports.ts";
import type { RegistrySettings } from "../settings.ts";
import { checkLogin, checkPasswordOf, type LoginContext, type PasswordContext } from "./check-password.ts";

/** What {@link identifyLogin} needs. */
export interface IdentifyLoginContext extends LoginContext {
  readonly settings: RegistrySettings;
  readonly ports: Pick<Ports, "directory">;
}

/**
 * The user of a login, a name or an e-mail address, and a password; undefined where there is none. The directory is asked about
 * logins whose account has no password of its own, so those that have one work while the directory does not. The account of a user
 * who signs in from the directory for the first time is made. Must not run in a transaction: failures are counted.
 * @throws RegistryError `too_many_requests`; `downstream_issue` of the directory; `insufficient_scope` where its user can have no account
 */
export async function identifyLogin(
  context: IdentifyLoginContext,
  login: string,
  password: string,
): Promise<AccountRow | undefined> {
  const { db, ports } = context;
  const account = await findUserByLogin(db, login);
  const { directory } = ports;
  if (directory?.authenticate === undefined || hasPassword(account)) {
    return (await checkLogin(context, { login, account }, password)) ? account : undefined;
  }
  let found: AccountRow | undefined;
  const { service } = directory;
  const elsewhere = async () => {
    const user = await directory.authenticate?.(login, password);
    if (user === undefined) return false;
    const known = await accountOfDirectoryUser({ ...context, service }, user);
    const seen = { service, role: user.role, now: context.now };
    found = context.settings.readOnly ? known : await notePresenceIfWritable(db, known, seen);
    return true;
  };
  await checkLogin(context, { login, account, elsewhere }, password);
  return found;
}

/** Whether a password is that of an account whose user is already identified, here or in the directory. @throws RegistryError */
export async function checkOwnPassword(
  context: PasswordContext & { readonly ports: Pick<Ports, "directory"> },
  account: AccountRow,
  password: string,
): Promise<boolean> {
  const { directory } = context.ports;
  if (directory === undefined || hasPassword(account)) return checkPasswordOf(context, account, { password });
  return checkPasswordOf(context, account, {
    password,
    elsewhere: () => isOf(context, directory, { account, password }),
  });
}

async function isOf(
  { db }: PasswordContext,
  directory: Directory,
  { account, password }: { readonly account: AccountRow; readonly password: string },
): Promise<boolean> {
  const user = await directory.authenticate?.(account.username, password);
  if (user === undefined) return false;
  return (await findLinkedAccount(db, directory.service, user.username.toLowerCase()))?.id === account.id;
}

function hasPassword(account: AccountRow | undefined): boolean {
  return account !== undefined && account.password_hash !== null;
}
