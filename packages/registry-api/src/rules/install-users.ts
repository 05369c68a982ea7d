import type { OperationContext } from "../context.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { randomSecret } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import type { AccountRow } from "../store/accounts.ts";
import { checkEmailAddress, checkNamespaceName } from "./names.ts";
import { createAccount } from "./new-account.ts";
import { formatPageToken, pageOf, parsePageToken } from "./page-tokens.ts";

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
  if (email !== undefined) await checkEmailIsFree(context, email);
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

async function checkEmailIsFree({ db }: OperationContext, email: string): Promise<void> {
  checkEmailAddress(email);
  const query = db.selectFrom("account").select("id").where("email", "=", email).where("kind", "=", "user");
  if ((await query.executeTakeFirst()) !== undefined) throw invalidRequest(`Email has already been used: ${email}`);
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
