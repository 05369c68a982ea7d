import type { OAuthApplication } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { randomSecret } from "../../crypto/secrets.ts";
import { notFound } from "../../errors.ts";
import { deleteAssignmentNotifications } from "../../events/queries/notifications.ts";
import {
  findApplicationToken,
  insertApplication,
  removeApplication,
  removeToken,
  updateApplication,
} from "./queries.ts";
import { checkRegisteredRedirect } from "./redirect-uri.ts";

/** The members of an application that its organization sets. */
export interface ApplicationDetails {
  readonly name: string;
  readonly redirect_uri?: string;
  readonly application_uri?: string;
  readonly description?: string;
  readonly avatar_email?: string | undefined;
}

/**
 * Registers an application. Its secret can be read again by the admins of the organization.
 * @throws RegistryError `invalid_request` for a redirect address that could never be used
 */
export async function createApplication(
  { db, secrets, now }: Pick<CallContext, "db" | "secrets" | "now">,
  organizationId: string,
  details: ApplicationDetails,
): Promise<OAuthApplication> {
  const row = {
    client_id: randomSecret(20),
    organization_id: organizationId,
    ...columnsOf(details),
    secret_sealed: secrets.seal(randomSecret(40)),
    created_at: now,
  };
  await insertApplication(db, row);
  return row;
}

/**
 * Replaces the description of an application: members that are left out become empty.
 * @throws RegistryError `invalid_request` for a redirect address that could never be used
 */
export async function changeApplication(
  { db }: Pick<CallContext, "db">,
  application: OAuthApplication,
  details: ApplicationDetails,
): Promise<OAuthApplication> {
  const columns = columnsOf(details);
  await updateApplication(db, application.client_id, columns);
  return { ...application, ...columns };
}

/** Replaces the secret of an application; the old one is no longer valid. */
export async function resetClientSecret(
  { db, secrets }: Pick<CallContext, "db" | "secrets">,
  application: OAuthApplication,
): Promise<OAuthApplication> {
  const secret_sealed = secrets.seal(randomSecret(40));
  await updateApplication(db, application.client_id, { secret_sealed });
  return { ...application, secret_sealed };
}

function columnsOf(details: ApplicationDetails) {
  const { name, redirect_uri = "", application_uri = "", description = "", avatar_email } = details;
  checkRegisteredRedirect(redirect_uri);
  return { name, redirect_uri, application_uri, description, avatar_email: avatar_email ?? null };
}

/** Deletes an application; its tokens end. */
export async function deleteApplication(
  { db, log }: Pick<CallContext<"delete_application">, "db" | "log">,
  { name: application_name, client_id }: OAuthApplication,
): Promise<void> {
  await deleteAssignmentNotifications(db, { clientId: client_id });
  await removeApplication(db, client_id);
  await log("delete_application", { application_name, client_id });
}

/** Ends an access token of an application. @throws RegistryError `not_found` */
export async function endApplicationToken(
  { db, log }: Pick<CallContext<"revoke_oauth_api_token">, "db" | "log">,
  { client_id, name: application_name }: OAuthApplication,
  tokenId: string,
): Promise<void> {
  const token = await findApplicationToken(db, client_id, tokenId);
  if (token === undefined)
    throw notFound("The application has no access token with that id: list its tokens to see their ids");
  await removeToken(db, token.id);
  await log("revoke_oauth_api_token", { oauth_token_uuid: token.id, application_name, client_id });
}
