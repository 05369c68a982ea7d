import type { Selectable } from "kysely";
import type { OperationContext } from "../context.ts";
import { hashSecret, randomSecret } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import { baseUrl } from "../settings.ts";
import type { AccountRow } from "../store/accounts.ts";
import type { EmailCodeTable } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { queueMail } from "./queue-mail.ts";

/** What a code that users get by e-mail is good for. */
export type EmailPurpose = "confirm" | "change_email" | "recover";

/** A code that was used. */
export type EmailCode = Selectable<EmailCodeTable>;

/** How long codes live, in seconds. */
const lifetimeSeconds: Readonly<Record<EmailPurpose, number>> = {
  confirm: 7 * 86_400,
  change_email: 86_400,
  recover: 1800,
};

/** No address is sent two messages for one purpose within this many milliseconds. */
const pauseMs = 60_000;

const letters: Readonly<Record<EmailPurpose, { subject: string; page: string; text: string }>> = {
  confirm: {
    subject: "Confirm your e-mail address",
    page: "confirm",
    text: "to confirm that this is your e-mail address",
  },
  change_email: {
    subject: "Confirm your new e-mail address",
    page: "confirm",
    text: "to make this your e-mail address",
  },
  recover: { subject: "Choose a new password", page: "recovery", text: "to choose a new password" },
};

/** Sends an account a code for one purpose, unless it was sent one just before. The code is in a link, and kept as a hash. */
export async function sendEmailCode(
  context: Pick<OperationContext, "db" | "secrets" | "ports" | "settings" | "now">,
  { id, username }: AccountRow,
  { purpose, email }: { readonly purpose: EmailPurpose; readonly email: string },
): Promise<void> {
  const { db, settings, now } = context;
  const expires_at = now + lifetimeSeconds[purpose] * 1000;
  const sent = await db
    .selectFrom("email_code")
    .select("code_hash")
    .where("account_id", "=", id)
    .where("purpose", "=", purpose)
    .where("email", "=", email)
    .where("expires_at", ">", expires_at - pauseMs)
    .executeTakeFirst();
  if (sent !== undefined) return;
  const code = randomSecret(40);
  const place = { account_id: id, repository_id: null, purpose, email };
  await db
    .insertInto("email_code")
    .values({ code_hash: hashSecret(code), ...place, confirmed_at: null, expires_at })
    .execute();
  const { subject, page, text } = letters[purpose];
  const link = `${baseUrl(settings)}/${page}?code=${code}`;
  const letter = `Hello ${username},\n\nopen this page ${text}:\n\n${link}\n\nIf you did not ask for it, do nothing.\n`;
  await queueMail(context, { to: email, subject: `${settings.title}: ${subject}`, text: letter });
}

/** Uses a code up. @throws RegistryError `invalid_request` for one that is unknown, used or past its time */
export async function useEmailCode(
  db: RegistryDb,
  code: string,
  { purposes, now }: { readonly purposes: readonly EmailPurpose[]; readonly now: number },
): Promise<EmailCode & { readonly account_id: string }> {
  const used = await db
    .deleteFrom("email_code")
    .where("code_hash", "=", hashSecret(code))
    .where("purpose", "in", purposes)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  const account_id = used?.account_id ?? undefined;
  if (used === undefined || account_id === undefined) throw invalidRequest("The code is not valid, or no longer");
  return { ...used, account_id };
}
