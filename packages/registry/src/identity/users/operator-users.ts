import { anonymous } from "../../access/principal.ts";
import { type AccountRow, findAccount } from "../../access/queries.ts";
import { scopes as allScopes, type Scope } from "../../access/scopes.ts";
import { createAccount } from "../../accounts/new-account.ts";
import { claimInitialization } from "../../accounts/queries.ts";
import type { CallContext } from "../../context.ts";
import { hashPassword, type PasswordCost } from "../../crypto/passwords.ts";
import { invalidRequest } from "../../errors.ts";
import { completeSettings, type GivenRegistrySettings } from "../../settings.ts";
import type { RegistryStore } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { checkEmailAddress, checkNamespaceName, checkPassword } from "../../values/names.ts";
import { createApplication } from "../oauth/applications.ts";
import { createOAuthToken } from "../oauth/tokens.ts";
import { setPassword } from "../sign-in/check-password.ts";
import type { NewUser } from "./users.ts";

/** What an operator's changes to a registry need. */
export interface OperatorDeps {
  readonly store: RegistryStore;
  readonly settings?: GivenRegistrySettings;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The cost of hashing the password; absent: the default. */
  readonly cost?: PasswordCost;
}

/**
 * Creates the account of a user for the operator of the installation, who needs no account and no running server. The e-mail address counts as confirmed.
 * @throws RegistryError `invalid_request`
 * @example
 * declare const store: RegistryStore;
 * const operator = { store, now: Date.now() };
 * await createOperatorUser(operator, { username: "ada", email: "ada@example.com", password: "sesame-open" });
 */
export async function createOperatorUser(
  { store, settings, now, cost }: OperatorDeps,
  { username, email, password }: { readonly username: string; readonly email?: string; readonly password: string },
): Promise<void> {
  checkNamespaceName(username);
  checkPassword(password);
  if (email !== undefined) checkEmailAddress(email);
  const passwordHash = await hashPassword(password, cost);
  await store.transaction(async (db) => {
    const request = { kind: "user", username, email, passwordHash, verified: true, now } as const;
    const { id } = await createAccount(db, completeSettings(settings), request);
    const metadata = { username, email: email ?? null, operator: true };
    await writeUsageLog(db, { kind: "user_create", metadata, namespaceId: id, principal: anonymous, at: now });
  });
}

/**
 * Sets a user's password. Sessions and registry tokens of the user end. A disabled user stays disabled.
 * @throws RegistryError `invalid_request` if there is no such user
 * @example
 * declare const store: RegistryStore;
 * await resetOperatorPassword({ store, now: Date.now() }, { username: "ada", password: "sesame-open" });
 */
export async function resetOperatorPassword(
  { store, now, cost }: OperatorDeps,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<void> {
  checkPassword(password);
  const passwordHash = await hashPassword(password, cost);
  await store.transaction(async (db) => {
    const user: AccountRow | undefined = await findAccount(db, username, "user");
    if (user === undefined) throw invalidRequest(`There is no user ${JSON.stringify(username)}`);
    await setPassword({ db }, user, passwordHash);
    const metadata = { username, operator: true };
    const place = { namespaceId: user.id, principal: anonymous, at: now };
    await writeUsageLog(db, { kind: "user_change_password", metadata, ...place });
  });
}

/** The lifetime of the first token. */
const firstTokenSeconds = 9000;

/** The first user, and a token with every scope. */
interface FirstUser {
  readonly account: AccountRow;
  readonly token?: string;
}

/**
 * Creates the first user of a registry that has none: a superuser, if the settings name none. Of several simultaneous requests, one succeeds.
 * @throws RegistryError `invalid_request`
 */
export async function initializeRegistry(
  context: CallContext<"user_create">,
  { username, email, passwordHash, wantsToken }: NewUser & { readonly wantsToken: boolean },
): Promise<FirstUser> {
  const { db, settings, now, log } = context;
  checkNamespaceName(username);
  if (email !== undefined) checkEmailAddress(email);
  await claimFirstUser(context);
  const isFirst = settings.superusers.length === 0;
  const request = { kind: "user", username, email, passwordHash, verified: true, isFirst, now } as const;
  const account = await createAccount(db, settings, request);
  await log("user_create", { username, email: email ?? null }, { namespaceId: account.id });
  if (!wantsToken) return { account };
  const application = await createApplication(context, account.id, { name: "first user" });
  const { token } = await createOAuthToken(db, {
    clientId: application.client_id,
    accountId: account.id,
    scopes: new Set(Object.keys(allScopes) as Scope[]),
    now,
    lifetimeSeconds: firstTokenSeconds,
  });
  return { account, token };
}

async function claimFirstUser({ db, now }: CallContext): Promise<void> {
  const isFirst = await claimInitialization(db, now);
  if (!isFirst) throw invalidRequest("Cannot initialize: there are users already");
}
