import { randomUUID } from "node:crypto";
import { type AccountRow, findUserByEmail, isRetiredName } from "../access/queries.ts";
import { invalidRequest, type RegistryError } from "../errors.ts";
import type { RegistrySettings } from "../settings.ts";
import type { AccountKind } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { hasAccount, insertAccount } from "./queries.ts";

/** An account to create. */
export interface NewAccount {
  readonly kind: AccountKind;
  readonly username: string;
  readonly email?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly verified?: boolean;
  /** Whether the registry is initialized with it, so that it is a superuser's as long as the settings name none. */
  readonly isFirst?: boolean;
  readonly now: number;
}

/**
 * Makes an account whose name no other account has. A user's e-mail address must be unused as well. Users and organizations share
 * one space of names. The names of deleted namespaces are taken until their content is collected.
 * @throws RegistryError `invalid_request`
 */
export async function createAccount(
  db: RegistryDb,
  settings: RegistrySettings,
  { kind, username, email, passwordHash, verified = false, isFirst = false, now }: NewAccount,
): Promise<AccountRow> {
  const checkIsFree = async () => {
    await checkNameIsFree(db, username, kind);
    if (kind === "user" && email !== undefined) await checkEmailIsFree(db, email);
  };
  await checkIsFree();
  const row: AccountRow = {
    id: randomUUID(),
    kind,
    username,
    email: email ?? null,
    password_hash: passwordHash ?? null,
    verified: verified ? 1 : 0,
    enabled: 1,
    credential_version: 1,
    invoice_email: 0,
    invoice_email_address: null,
    tag_expiration_s: settings.defaultTagExpirationSeconds,
    outside_role: isFirst ? "first" : null,
    profile: "{}",
    created_at: now,
    last_accessed_at: null,
  };
  const isNew = await insertAccount(db, row);
  if (isNew) return row;
  await checkIsFree(); // throws if another transaction has just taken the name or the address
  throw nameTaken(username, kind);
}

/** @throws RegistryError `invalid_request` when another account has the name, or a deleted one still holds it */
export async function checkNameIsFree(db: RegistryDb, username: string, kind: AccountKind): Promise<void> {
  const isTaken = await hasAccount(db, username);
  if (isTaken) throw nameTaken(username, kind);
  const isRetired = await isRetiredName(db, username);
  if (isRetired) throw invalidRequest("Username is not available");
}

/** @throws RegistryError `invalid_request` when a user other than `owner` has the e-mail address */
export async function checkEmailIsFree(db: RegistryDb, email: string, owner?: Pick<AccountRow, "id">): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (user !== undefined && user.id !== owner?.id) throw emailTaken();
}

/** The refusal of a name that another account has. */
export function nameTaken(username: string, kind: AccountKind): RegistryError {
  if (kind === "robot") return invalidRequest(`Existing robot with name: ${username}`);
  if (kind === "user") return invalidRequest("The username already exists");
  return invalidRequest("A user or organization with this name already exists");
}

/** The refusal of an e-mail address that another user has. */
export function emailTaken(): RegistryError {
  return invalidRequest("The e-mail address is used already");
}
