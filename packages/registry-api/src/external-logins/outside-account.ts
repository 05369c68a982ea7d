import { isReadonlyName, isSuperuserName } from "../access/global-role.ts";
import { anonymous } from "../access/principal.ts";
import { type AccountRow, findAccount, isRetiredName } from "../access/queries/accounts.ts";
import { createAccount } from "../accounts/new-account.ts";
import { invalidRequest, RegistryError } from "../errors.ts";
import { writeUsageLog } from "../logs/queries/new-entries.ts";
import type { IdentityProvider, OutsideUser } from "../ports/identities.ts";
import type { RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isNamespaceName } from "../values/names.ts";
import { freeEmail } from "./directory-account.ts";
import { findLinkedAccount, insertExternalLogin } from "./queries.ts";

/** What accounts of a provider's users need. */
export interface OutsideAccountContext {
  readonly db: RegistryDb;
  readonly settings: RegistrySettings;
  readonly now: number;
}

/** The name that a user would like, as names of namespaces are: of an address only what is before the `@`. */
export function suggestedName({ username = "" }: Pick<OutsideUser, "username">): string {
  const [local = ""] = username.toLowerCase().split("@");
  const parts = local.normalize("NFKD").match(/[a-z0-9]+/g) ?? [];
  return parts.join("-").slice(0, 255);
}

/** Why a name cannot be the one of a new account; undefined where it can. */
export async function nameProblem(
  { db, settings }: Pick<OutsideAccountContext, "db" | "settings">,
  name: string,
): Promise<string | undefined> {
  if (!isNamespaceName(name)) return "expected 2 to 255 lower-case letters and digits, joined by single . _ or -";
  const isReserved = isSuperuserName(settings, name) || isReadonlyName(settings, name);
  const isTaken = isReserved || (await findAccount(db, name)) !== undefined || (await isRetiredName(db, name));
  return isTaken ? "that name is taken" : undefined;
}

/**
 * Makes the account of a user who has none yet. An account that exists is never taken over, whatever name and address the provider
 * tells: its owner attaches the login, signed in. An address that another user has is left out.
 * @throws RegistryError `insufficient_scope` where the provider's users get no accounts, `invalid_request` for a name that cannot be
 */
export async function createOutsideAccount(
  context: OutsideAccountContext,
  { service, title, createsAccounts }: IdentityProvider,
  { user, username }: { readonly user: OutsideUser; readonly username: string },
): Promise<AccountRow> {
  const { db, settings, now } = context;
  if (!createsAccounts) throw hasNoAccount(title);
  const problem = await nameProblem(context, username);
  if (problem !== undefined) throw invalidRequest(`User name ${JSON.stringify(username.slice(0, 300))}: ${problem}`);
  const email = await freeEmail(db, user.email);
  const account = await createAccount(db, settings, { kind: "user", username, email, verified: true, now });
  const isLinked = await insertExternalLogin(db, login(service, { user, account }, now));
  if (!isLinked) throw invalidRequest(`This login of ${title} has an account already: sign in again`);
  const metadata = { username, email: email ?? null, service };
  await writeUsageLog(db, { kind: "user_create", metadata, namespaceId: account.id, principal: anonymous, at: now });
  return account;
}

/**
 * Lets a signed-in user sign in with a provider from now on.
 * @throws RegistryError `invalid_request` where the login, or another of the provider, leads to an account already
 */
export async function attachLogin(
  { db, now }: Pick<OutsideAccountContext, "db" | "now">,
  { service, title }: IdentityProvider,
  { user, account }: { readonly user: OutsideUser; readonly account: AccountRow },
): Promise<void> {
  if (await insertExternalLogin(db, login(service, { user, account }, now))) return;
  const owner = await findLinkedAccount(db, service, user.subject);
  if (owner?.id === account.id) return;
  if (owner !== undefined)
    throw invalidRequest(`This login of ${title} belongs to another account: detach it there first`);
  throw invalidRequest(`Your account has another login of ${title}: detach that one first`);
}

/** The refusal of users who have no account, where none is made for them. */
export function hasNoAccount(title: string): RegistryError {
  const message = `No account belongs to this login of ${title}. If you have one, sign in with its password and attach the login; else ask the operator of the registry for one`;
  return new RegistryError("insufficient_scope", message);
}

function login(
  service: string,
  {
    user: { subject, role = null },
    account: { id },
  }: {
    readonly user: Pick<OutsideUser, "subject"> & { role?: OutsideUser["role"] | null };
    readonly account: AccountRow;
  },
  now: number,
) {
  return { service, subject, account_id: id, created_at: now, role, left_at: null };
}
