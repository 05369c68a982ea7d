import { ifWritable } from "@plimsoll/store";
import { anonymous } from "../../access/principal.ts";
import { type AccountRow, findAccountById, updateAccount } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { hashSecret } from "../../crypto/secrets.ts";
import { invalidRequest } from "../../errors.ts";
import { deleteEmailCodes } from "../../mail/queries/email-codes.ts";
import type { IdentityProvider, OutsideProfile, OutsideRole, ProviderLogout } from "../../ports/identities.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isEmailAddress } from "../../values/names.ts";
import { putEmail } from "../account-settings.ts";
import { applyRoles, isOnlyWayIn } from "./detach-login.ts";
import { freeEmail } from "./directory-account.ts";
import { endProviderSessions, listExternalLogins, updateExternalLogin, useLogoutToken } from "./queries.ts";

/** A user of the directory, and the account that they sign in to. */
interface DirectoryLogin {
  readonly accountId: string;
  /** The service name of the directory: `ldap`. */
  readonly service: string;
  readonly now: number;
}

/**
 * Disables the account of a user who is no longer in the directory. Their sessions, tokens and robots then no longer work either. An
 * account that a superuser has disabled, or has enabled again since, stays as it is.
 */
export async function noteDeparture(db: RegistryDb, { accountId, service, now }: DirectoryLogin): Promise<void> {
  const account = await findAccountById(db, accountId);
  const login = await findLogin(db, accountId, service);
  if (account === undefined || login === undefined || account.enabled === 0 || login.left_at !== null) return;
  await updateExternalLogin(db, { account_id: accountId, service }, { left_at: now, role: null });
  await applyRoles(db, account);
  await updateAccount(db, accountId, { enabled: 0 });
  await log(db, "user_disable", { account, service, now });
}

/** A user whom a service has now. */
interface Presence extends Omit<DirectoryLogin, "accountId"> {
  readonly user: OutsideProfile & { readonly role?: OutsideRole | undefined };
}

/**
 * Records that a user is in the directory, or has signed in with a provider: stores their role, enables an account that
 * {@link noteDeparture} has disabled, and gives an account with no other way in the user's address and names. It takes
 * one statement if nothing has changed.
 * @returns the account after the change
 */
export async function notePresence(
  db: RegistryDb,
  account: AccountRow,
  { service, user, now }: Presence,
): Promise<AccountRow> {
  const logins = await listExternalLogins(db, account.id);
  const login = logins.find((each) => each.service === service);
  if (login === undefined) return account;
  const known = await noteRole(db, account, { login, role: user.role, now });
  return isOnlyWayIn(known, logins) ? followProvider(db, known, { service, profile: user, now }) : known;
}

async function noteRole(
  db: RegistryDb,
  account: AccountRow,
  {
    login,
    role,
    now,
  }: { readonly login: Row<"external_login">; readonly role: OutsideRole | undefined; readonly now: number },
): Promise<AccountRow> {
  const { service } = login;
  const noted = { left_at: null, role: role ?? null };
  if (login.left_at === null && login.role === noted.role) return account;
  await updateExternalLogin(db, { account_id: account.id, service }, noted);
  const known = await applyRoles(db, account);
  if (login.left_at === null || account.enabled === 1) return known;
  await updateAccount(db, account.id, { enabled: 1 });
  await log(db, "user_enable", { account, service, now });
  return { ...known, enabled: 1 };
}

/** {@link notePresence} for a user who signs in; does nothing while the database takes no changes. */
export async function notePresenceIfWritable(db: RegistryDb, account: AccountRow, seen: Presence): Promise<AccountRow> {
  let known = account;
  await ifWritable(async () => {
    known = await notePresence(db, account, seen);
  });
  return known;
}

/** Keeps an account disabled even if its user returns to the directory, because a superuser has disabled it. */
export async function keepDisabled(db: RegistryDb, accountId: string): Promise<void> {
  for (const { service, left_at } of await listExternalLogins(db, accountId)) {
    if (left_at !== null) await updateExternalLogin(db, { account_id: accountId, service }, { left_at: null });
  }
}

async function findLogin(db: RegistryDb, accountId: string, service: string) {
  return (await listExternalLogins(db, accountId)).find((login) => login.service === service);
}

async function log(
  db: RegistryDb,
  kind: "user_disable" | "user_enable",
  { account, service, now: at }: { readonly account: AccountRow; readonly service: string; readonly now: number },
): Promise<void> {
  const metadata = { username: account.username, service };
  await writeUsageLog(db, { kind, metadata, namespaceId: account.id, principal: anonymous, at });
}

/** What a service says about a user now. */
interface SeenProfile {
  /** The service name of the directory or the identity provider. */
  readonly service: string;
  readonly profile: OutsideProfile;
  readonly now: number;
}

/** Longer names are not taken. */
const longestName = 255;

/**
 * Gives an account the e-mail address and the names that its directory or identity provider has for the user. What the service does not
 * say stays. If another account has the address, the account has none until the other one gives it up: the old one may belong to
 * another person by then. It takes no statement if nothing has changed.
 * @returns the account after the change
 */
async function followProvider(db: RegistryDb, account: AccountRow, seen: SeenProfile): Promise<AccountRow> {
  return followNames(db, await followEmail(db, account, seen), seen);
}

async function followEmail(
  db: RegistryDb,
  account: AccountRow,
  { service, profile, now }: SeenProfile,
): Promise<AccountRow> {
  const { id, username, email: old_email } = account;
  const { email: wanted } = profile;
  if (wanted === undefined || wanted === old_email || !isEmailAddress(wanted)) return account;
  const isOwn = wanted.toLowerCase() === old_email?.toLowerCase();
  const email = isOwn ? wanted : ((await freeEmail(db, wanted)) ?? null);
  if (email === old_email) return account;
  if (email === null) {
    await updateAccount(db, id, { email });
    await deleteEmailCodes(db, id, ["recover", "change_email"]);
  } else {
    await putEmail(db, account, { email, verified: true });
  }
  const metadata = { username, email, old_email, service };
  await writeUsageLog(db, { kind: "user_change_email", metadata, namespaceId: id, principal: anonymous, at: now });
  return { ...account, email, verified: email === null ? account.verified : 1 };
}

async function followNames(
  db: RegistryDb,
  account: AccountRow,
  { service, profile: { givenName, familyName }, now }: SeenProfile,
): Promise<AccountRow> {
  const before = JSON.parse(account.profile) as Readonly<Record<string, unknown>>;
  const said = Object.entries({ given_name: givenName, family_name: familyName });
  const changed = said.filter(
    ([member, name]) => name !== undefined && name.length <= longestName && name !== before[member],
  );
  if (changed.length === 0) return account;
  const after = { ...before, ...Object.fromEntries(changed) };
  const profile = JSON.stringify(after);
  await updateAccount(db, account.id, { profile });
  const [metadata, namespaceId] = [{ ...after, service }, account.id];
  await writeUsageLog(db, { kind: "user_change_metadata", metadata, namespaceId, principal: anonymous, at: now });
  return { ...account, profile };
}

/**
 * Ends the sessions that began with a session of an identity provider, or with any session of its user, as a validated logout token
 * requests. Must run in a transaction.
 * @throws RegistryError `invalid_request` for a token that was used before
 */
export async function logOutByProvider(
  { db, settings, ip, now }: Pick<CallContext, "db" | "settings" | "now"> & { readonly ip: string },
  { service }: Pick<IdentityProvider, "service">,
  { jti, usableUntil, ...ended }: ProviderLogout,
): Promise<void> {
  const token = { service, jti_hash: hashSecret(jti), expires_at: usableUntil };
  if (!(await useLogoutToken(db, token))) throw invalidRequest("logout_token: it was used before");
  const accounts = await endProviderSessions(db, { ...ended, service });
  if (!settings.logSignIns) return;
  const entry = { kind: "logout_success", metadata: { service }, principal: anonymous, ip, at: now } as const;
  for (const namespaceId of accounts) await writeUsageLog(db, { ...entry, namespaceId });
}
