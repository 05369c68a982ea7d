import type { InstallUserSubject } from "../access/as-superuser.ts";
import { isSuperuserName } from "../access/standing.ts";
import type { OperationContext } from "../context.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { randomSecret } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import { type AccountRow, findAccountById } from "../store/accounts.ts";
import { deleteNamespace } from "./delete-namespace.ts";
import { checkEmailAddress, checkNamespaceName } from "./names.ts";
import { checkEmailIsFree, createAccount } from "./new-account.ts";
import { formatPageToken, pageOf, parsePageToken } from "./page-tokens.ts";
import { setPassword } from "./passwords.ts";

/** A password that nobody chose, and its hash. */
export async function generatePassword(): Promise<{ readonly password: string; readonly passwordHash: string }> {
  const password = randomSecret(32);
  return { password, passwordHash: await hashPassword(password) };
}

/** Makes the account of a user for a superuser. @throws RegistryError `invalid_request` */
export async function createInstallUser(
  context: OperationContext,
  given: {
    readonly username: string;
    readonly email?: string | null;
    readonly passwordHash: string;
    readonly superuser: AccountRow;
  },
): Promise<AccountRow> {
  const { db, settings, ports, now, log } = context;
  const { username, passwordHash, superuser } = given;
  const email = given.email || undefined;
  checkNamespaceName(username);
  if (email !== undefined) checkEmailAddress(email);
  if (email === undefined && ports.mailer !== undefined) throw invalidRequest("Email address is required");
  const account = await createAccount(db, settings, {
    kind: "user",
    username,
    email,
    passwordHash,
    verified: true,
    now,
  });
  const logged = { username, email: email ?? null, superuser: superuser.username };
  await log("user_create", logged, { namespaceId: account.id });
  return account;
}

/** What a superuser changes about a user. */
export interface InstallUserChanges {
  readonly passwordHash: string | undefined;
  readonly email?: string;
  readonly enabled?: boolean;
}

/** Changes a user; superusers are changed by nobody. @throws RegistryError `invalid_request` */
export async function changeInstallUser(
  context: OperationContext,
  { user, superuser }: InstallUserSubject,
  { passwordHash, email, enabled }: InstallUserChanges,
): Promise<AccountRow> {
  const { db, log } = context;
  refuseSuperuser(context, user, "update");
  const place = { namespaceId: user.id };
  const logged = { username: user.username, superuser: superuser.username };
  if (passwordHash !== undefined) {
    await setPassword(context, user, passwordHash);
    await log("user_change_password", logged, place);
  }
  if (email !== undefined && email !== user.email) {
    checkEmailAddress(email);
    await checkEmailIsFree(db, email);
    await db.updateTable("account").set({ email, verified: 1 }).where("id", "=", user.id).execute();
    await log("user_change_email", { old_email: user.email, email, superuser: superuser.username }, place);
  }
  if (enabled !== undefined && enabled !== (user.enabled === 1)) {
    await db
      .updateTable("account")
      .set({ enabled: enabled ? 1 : 0 })
      .where("id", "=", user.id)
      .execute();
    await log(enabled ? "user_enable" : "user_disable", logged, place);
  }
  return (await findAccountById(db, user.id)) ?? user;
}

/** Deletes a user, even the only admin of an organization. @throws RegistryError `invalid_request` for superusers */
export async function deleteInstallUser(context: OperationContext, { user }: InstallUserSubject): Promise<void> {
  refuseSuperuser(context, user, "delete");
  await context.log("user_delete", { username: user.username }, { namespaceId: user.id });
  await deleteNamespace(context.db, user, context.ports.clock);
}

function refuseSuperuser({ settings }: OperationContext, { username }: AccountRow, what: "update" | "delete"): void {
  if (isSuperuserName(settings, username)) throw invalidRequest(`Cannot ${what} a superuser`);
}

/** The users; a page of them where a limit is given, all of them where not. */
export async function listAllUsers(
  { db, pageTokens, now }: OperationContext,
  query: { readonly limit?: number; readonly next_page?: string; readonly disabled?: boolean },
): Promise<{ readonly rows: readonly AccountRow[]; readonly next_page?: string }> {
  const { limit, disabled = true } = query;
  const [after] = parsePageToken(pageTokens, query.next_page, now) ?? [];
  const retired = db.selectFrom("retired_namespace").select("account_id");
  const rows = await db
    .selectFrom("account")
    .selectAll()
    .where("kind", "=", "user")
    .where("id", "not in", retired)
    .$if(!disabled, (users) => users.where("enabled", "=", 1))
    .$if(after !== undefined, (users) => users.where("id", ">", String(after)))
    .orderBy("id")
    .$if(limit !== undefined, (users) => users.limit((limit ?? 0) + 1))
    .execute();
  return limit === undefined ? { rows } : pageOf(rows, limit, ({ id }) => formatPageToken(pageTokens, [id], now));
}
