import type { AccountRow, ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { hashSecret, randomSecret } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { queueMail } from "./jobs.ts";
import {
  type EmailCode,
  type EmailPurpose,
  hasEmailCode,
  insertEmailCode,
  takeEmailCode,
} from "./queries/email-codes.ts";

/** The least time between two messages to one address for one purpose: milliseconds. */
const pauseMs = 60_000;

/** A message with a link, and for how many seconds the code in the link is valid. */
interface Letter {
  readonly subject: string;
  readonly page: "confirmation" | "recovery";
  /** What opening the page is for. */
  readonly text: string;
  readonly lifetimeSeconds: number;
}

const letters: Readonly<Record<EmailPurpose, Letter>> = {
  confirm: {
    subject: "Confirm your e-mail address",
    page: "confirmation",
    text: "to confirm that this is your e-mail address",
    lifetimeSeconds: 7 * 86_400,
  },
  change_email: {
    subject: "Confirm your new e-mail address",
    page: "confirmation",
    text: "to make this your e-mail address",
    lifetimeSeconds: 86_400,
  },
  recover: {
    subject: "Choose a new password",
    page: "recovery",
    text: "to choose a new password",
    lifetimeSeconds: 1800,
  },
};

/** What a code that is sent to a user is for. */
export interface SentCode {
  readonly purpose: EmailPurpose;
  readonly email: string;
  /** The page that was requested before: the link has it as a parameter, and the page of the link checks it. */
  readonly next?: string | undefined;
}

type SendingDeps = Pick<CallContext, "db" | "secrets" | "clock" | "settings" | "now" | "pageAddress">;

/** Sends an account a code for one purpose, unless one was sent just before. */
export async function sendEmailCode(
  deps: SendingDeps,
  { id, username }: AccountRow,
  { purpose, email, next }: SentCode,
): Promise<void> {
  const code = { account_id: id, repository_id: null, purpose, email };
  await sendCode(deps, code, { ...letters[purpose], greeting: `Hello ${username}`, next });
}

/** Sends an address the code that lets a repository's notifications be sent there, unless it was sent one just before. */
export async function sendRepositoryCode(
  deps: SendingDeps,
  { id, namespace, name }: ImageRepository,
  email: string,
): Promise<void> {
  await sendCode(
    deps,
    { account_id: null, repository_id: id, purpose: "authorize_repository", email },
    {
      greeting: "Hello",
      subject: `Notifications of ${namespace}/${name}`,
      page: "confirmation",
      text: `to have notifications of the repository ${namespace}/${name} sent to this address`,
      lifetimeSeconds: 7 * 86_400,
    },
  );
}

/** Sends a new code as part of a link, and stores its hash. */
async function sendCode(
  deps: SendingDeps,
  owned: Pick<EmailCode, "account_id" | "repository_id" | "purpose" | "email">,
  {
    greeting,
    subject,
    page,
    text,
    lifetimeSeconds,
    next,
  }: Letter & Pick<SentCode, "next"> & { readonly greeting: string },
): Promise<void> {
  const { db, settings, now, pageAddress } = deps;
  const { email } = owned;
  const expires_at = now + lifetimeSeconds * 1000;
  const isSent = await hasEmailCode(db, owned, expires_at - pauseMs);
  if (isSent) return;
  const code = randomSecret(40);
  await insertEmailCode(db, { ...owned, code_hash: hashSecret(code), confirmed_at: null, expires_at });
  const link = pageAddress({ kind: page, code, next });
  const letter = `${greeting},\n\nopen this page ${text}:\n\n${link}\n\nIf you did not ask for it, do nothing.\n`;
  await queueMail(deps, { to: email, subject: `${settings.title}: ${subject}`, text: letter });
}

/** Uses up a code. @throws RegistryError `invalid_request` for one that is unknown, used or past its time */
export async function useEmailCode(
  db: RegistryDb,
  code: string,
  { purposes, now }: { readonly purposes: readonly EmailPurpose[]; readonly now: number },
): Promise<EmailCode & { readonly account_id: string }> {
  const used = await takeEmailCode(db, hashSecret(code), { purposes, now });
  const account_id = used?.account_id ?? undefined;
  if (used === undefined || account_id === undefined) throw invalidRequest("The code is not valid, or it has expired");
  return { ...used, account_id };
}
