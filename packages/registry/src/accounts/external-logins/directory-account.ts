import { anonymous } from "../../access/principal.ts";
import { type AccountRow, findAccount, findUserByEmail, isRetiredName } from "../../access/queries.ts";
import { RegistryError } from "../../errors.ts";
import type { DirectoryUser } from "../../ports/identities.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isEmailAddress, isNamespaceName, lowerLetters } from "../../values/names.ts";
import { createAccount } from "../new-account.ts";
import { findLinkedAccount, insertExternalLogin, listExternalLogins } from "./queries.ts";

/** How often the account is looked up while other requests may be creating it. */
const maxAttempts = 3;

/** What {@link accountOfDirectoryUser} needs. */
export interface DirectoryDeps {
  readonly db: RegistryDb;
  readonly settings: RegistrySettings;
  /** The service name of the directory: `ldap`. */
  readonly service: string;
  readonly now: number;
}

/**
 * The account of a user of the directory: the linked one; otherwise an account of the same name without a password and without a link,
 * as the synchronization of teams creates them; otherwise a new one. An account with a password belongs to the person who chose the
 * password, and is never linked. Each step can be repeated, so no transaction is needed.
 * @throws RegistryError `insufficient_scope` if the user can have no account
 */
export async function accountOfDirectoryUser(deps: DirectoryDeps, user: DirectoryUser): Promise<AccountRow> {
  const { db, service } = deps;
  const subject = lowerLetters(user.username);
  for (let attempt = 1; ; attempt++) {
    const linked = await findLinkedAccount(db, service, subject);
    if (linked !== undefined) return linked;
    try {
      return await linkAccount(deps, subject, user);
    } catch (error) {
      // another request may have created or linked the account between two queries
      if (!(error instanceof RegistryError) || attempt === maxAttempts) throw error;
    }
  }
}

async function linkAccount(deps: DirectoryDeps, subject: string, user: DirectoryUser): Promise<AccountRow> {
  const { db, service, now } = deps;
  const account = (await findUnlinked(db, subject)) ?? (await create(deps, subject, user));
  await insertExternalLogin(db, {
    service,
    subject,
    account_id: account.id,
    created_at: now,
    role: null,
    left_at: null,
  });
  const winner = await findLinkedAccount(db, service, subject); // another request may have linked it first
  return winner ?? refuse(subject, "the account of that name is linked to another login");
}

async function findUnlinked(db: RegistryDb, username: string): Promise<AccountRow | undefined> {
  const account = await findAccount(db, username);
  if (account === undefined) return undefined;
  if (account.kind !== "user") refuse(username, "an organization has that name");
  if (account.password_hash !== null)
    refuse(username, "a user who signs in with a password of the registry has that name");
  const logins = await listExternalLogins(db, account.id);
  return logins.length === 0 ? account : refuse(username, "the account of that name is linked to another login");
}

async function create(
  { db, settings, service, now }: DirectoryDeps,
  username: string,
  user: DirectoryUser,
): Promise<AccountRow> {
  if (!isNamespaceName(username)) {
    refuse(username, "expected 2 to 255 letters and digits, joined by single . _ or -");
  }
  if (await isRetiredName(db, username)) refuse(username, "a deleted account still has that name");
  const email = await freeEmail(db, user.email);
  const account = await createAccount(db, settings, { kind: "user", username, email, verified: true, now });
  const metadata = { username, email: email ?? null, service };
  await writeUsageLog(db, { kind: "user_create", metadata, namespaceId: account.id, principal: anonymous, at: now });
  return account;
}

/** Returns an e-mail address unless it is invalid or another user has it. Accounts are never matched by address. */
export async function freeEmail(db: RegistryDb, email: string | undefined): Promise<string | undefined> {
  if (email === undefined || !isEmailAddress(email)) return undefined;
  return (await findUserByEmail(db, email)) === undefined ? email : undefined;
}

function refuse(username: string, reason: string): never {
  const message = `The directory's user ${JSON.stringify(username.slice(0, 300))} can have no account here: ${reason}`;
  throw new RegistryError("insufficient_scope", message, {
    details: { needsEmailVerification: false, invalidCredentials: false },
  });
}
