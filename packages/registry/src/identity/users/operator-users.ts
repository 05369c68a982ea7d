import { anonymous } from "../../access/principal.ts";
import { type AccountRow, findAccount } from "../../access/queries.ts";
import { createAccount } from "../../accounts/new-account.ts";
import { hashPassword, type PasswordCost } from "../../crypto/passwords.ts";
import { invalidRequest } from "../../errors.ts";
import { completeSettings, type GivenRegistrySettings } from "../../settings.ts";
import type { RegistryStore } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { checkEmailAddress, checkNamespaceName, checkPassword } from "../../values/names.ts";
import { setPassword } from "../sign-in/credentials.ts";

/** The context of an operator's changes to a registry. */
export interface OperatorContext {
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
  { store, settings, now, cost }: OperatorContext,
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
  { store, now, cost }: OperatorContext,
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
