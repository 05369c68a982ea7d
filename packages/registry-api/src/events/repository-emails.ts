import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { sendRepositoryCode } from "../accounts/email-codes.ts";
import type { OperationContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { checkEmailAddress } from "../values/names.ts";
import { findRepositoryEmail, type RepositoryEmail } from "./queries/repository-emails.ts";

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
