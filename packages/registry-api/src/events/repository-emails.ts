import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { sendRepositoryCode } from "../accounts/email-codes.ts";
import type { OperationContext } from "../context.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkEmailAddress } from "../values/names.ts";

/** An address that a repository's notifications may go to once whoever reads it has confirmed that. */
export interface RepositoryEmail {
  readonly email: string;
  readonly confirmed: boolean;
}

/** What is known of an address in a repository; undefined where it was not asked, or did not answer in time. */
export async function findRepositoryEmail(
  { db, now }: Pick<OperationContext, "db" | "now">,
  { id }: ImageRepository,
  email: string,
): Promise<RepositoryEmail | undefined> {
  const { codes, confirmedAt } = await db
    .selectFrom("email_code")
    .select(({ fn }) => [fn.countAll<number>().as("codes"), fn.max("confirmed_at").as("confirmedAt")])
    .where("repository_id", "=", id)
    .where("email", "=", email)
    .where(({ or, eb }) => or([eb("confirmed_at", "is not", null), eb("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(codes) === 0 ? undefined : { email, confirmed: confirmedAt !== null };
}

/**
 * Asks by a message with a link whether an address takes a repository's notifications, unless it has said so.
 * @throws RegistryError `invalid_request`, also where the registry sends no e-mail
 */
export async function askRepositoryEmail(
  context: OperationContext,
  repository: ImageRepository,
  email: string,
): Promise<RepositoryEmail> {
  checkEmailAddress(email);
  const known = await findRepositoryEmail(context, repository, email);
  if (known?.confirmed) return known;
  if (context.ports.mailer === undefined) throw invalidRequest("The registry sends no e-mail");
  await sendRepositoryCode(context, repository, email);
  return { email, confirmed: false };
}

/** Confirms the address that a repository's code was sent to. @returns undefined for a code that is for something else */
export async function confirmRepositoryEmail(
  db: RegistryDb,
  code: string,
  { now }: { readonly now: number },
): Promise<{ readonly email: string } | undefined> {
  return db
    .updateTable("email_code")
    .set({ confirmed_at: now })
    .where("code_hash", "=", hashSecret(code))
    .where("purpose", "=", "authorize_repository")
    .where("expires_at", ">", now)
    .where("confirmed_at", "is", null)
    .returning("email")
    .executeTakeFirst();
}
