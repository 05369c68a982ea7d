import { isReadonlyName, isSuperuserName } from "../../access/global-role.ts";
import { anonymous } from "../../access/principal.ts";
import { type AccountRow, findAccount, isRetiredName } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, RegistryError } from "../../errors.ts";
import type { IdentityProvider, OutsideUser } from "../../ports/identities.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isNamespaceName } from "../../values/names.ts";
import { createAccount } from "../new-account.ts";
import { freeEmail } from "./directory-account.ts";
import { findLinkedAccount, insertExternalLogin } from "./queries.ts";

/** A valid user name derived from the provider's user name; of an e-mail address, from the part before the `@`. */
export function suggestedName({ username = "" }: Pick<OutsideUser, "username">): string {
  const [local = ""] = username.toLowerCase().split("@");
  const parts = local.normalize("NFKD").match(/[a-z0-9]+/g) ?? [];
  return parts.join("-").slice(0, 255);
}

/** Why a name cannot be that of a new account; undefined if it can. */
export async function nameProblem(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  name: string,
): Promise<string | undefined> {
  if (!isNamespaceName(name)) return "expected 2 to 255 lower-case letters and digits, joined by single . _ or -";
  const isReserved = isSuperuserName(settings, name) || isReadonlyName(settings, name);
  const isTaken = isReserved || (await findAccount(db, name)) !== undefined || (await isRetiredName(db, name));
  return isTaken ? "that name is taken" : undefined;
}

/**
 * Creates the account of a user who has none yet. The name and the address of the provider never link the login to an existing account:
 * its owner must sign in and attach the login. An address of another user is left out.
 * @throws RegistryError `insufficient_scope` if users of the provider get no accounts, `invalid_request` for an unusable name
 */
export async function createOutsideAccount(
  context: Pick<CallContext, "db" | "settings" | "now">,
  { service, title, createsAccounts }: IdentityProvider,
  { user, username }: { readonly user: OutsideUser; readonly username: string },
): Promise<AccountRow> {
  const { db, settings, now } = context;
  if (!createsAccounts) throw noAccount(title);
  const problem = await nameProblem(context, username);
  if (problem !== undefined) throw invalidRequest(`User name ${JSON.stringify(username.slice(0, 300))}: ${problem}`);
  const email = await freeEmail(db, user.email);
  const account = await createAccount(db, settings, { kind: "user", username, email, verified: true, now });
  const isLinked = await insertExternalLogin(db, loginRow(service, { user, account }, now));
  if (!isLinked) throw invalidRequest(`This login of ${title} has an account already: sign in again`);
  const metadata = { username, email: email ?? null, service };
  await writeUsageLog(db, { kind: "user_create", metadata, namespaceId: account.id, principal: anonymous, at: now });
  return account;
}

/**
 * Attaches a login of a provider to the account of a signed-in user.
 * @throws RegistryError `invalid_request` if the login belongs to another account, or the account has another login of the provider
 */
export async function attachLogin(
  { db, now }: Pick<CallContext, "db" | "now">,
  { service, title }: IdentityProvider,
  { user, account }: { readonly user: OutsideUser; readonly account: AccountRow },
): Promise<void> {
  if (await insertExternalLogin(db, loginRow(service, { user, account }, now))) return;
  const owner = await findLinkedAccount(db, service, user.subject);
  if (owner?.id === account.id) return;
  if (owner !== undefined)
    throw invalidRequest(`This login of ${title} belongs to another account: detach it there first`);
  throw invalidRequest(`Your account has another login of ${title}: detach that one first`);
}

/** The refusal of users without an account, if none is created for them. */
export function noAccount(title: string): RegistryError {
  const message = `No account belongs to this login of ${title}. If you have one, sign in with its password and attach the login; otherwise ask the operator of the registry for one`;
  return new RegistryError("insufficient_scope", message);
}

function loginRow(
  service: string,
  {
    user: { subject, role },
    account: { id },
  }: {
    readonly user: Pick<OutsideUser, "subject"> & Partial<Pick<OutsideUser, "role">>;
    readonly account: AccountRow;
  },
  now: number,
) {
  return { service, subject, account_id: id, created_at: now, role: role ?? null, left_at: null };
}
