import type { ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { sendRepositoryCode } from "../mail/email-codes.ts";
import { checkEmailAddress } from "../values/names.ts";
import { findRepositoryEmail, type RepositoryEmail } from "./queries/notifications.ts";

/**
 * Requests the consent of an address to a repository's notifications by a message with a link, unless it has consented.
 * @throws RegistryError `invalid_request`, also if the registry sends no e-mail
 */
export async function requestEmailConsent(
  context: CallContext,
  repository: ImageRepository,
  email: string,
): Promise<RepositoryEmail> {
  checkEmailAddress(email);
  const known = await findRepositoryEmail(context, repository, email);
  if (known?.confirmed) return known;
  if (context.mailer === undefined) throw invalidRequest("The registry sends no e-mail");
  await sendRepositoryCode(context, repository, email);
  return { email, confirmed: false };
}
