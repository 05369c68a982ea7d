import type { OAuthApplication } from "../../access/queries.ts";
import { randomSecret, type Sealer } from "../../crypto/secrets.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { insertApplication, updateApplication } from "./queries.ts";
import { checkRegisteredRedirect } from "./redirect-uri.ts";

/** The members of an application that its organization sets. */
export interface ApplicationDetails {
  readonly name: string;
  readonly redirect_uri?: string;
  readonly application_uri?: string;
  readonly description?: string;
  readonly avatar_email?: string | null;
}

/** What creating and changing applications needs. */
export interface ApplicationContext {
  readonly db: RegistryDb;
  readonly secrets: Sealer;
  readonly now: number;
}

/**
 * Registers an application. Its secret can be read again by the admins of the organization.
 * @throws RegistryError `invalid_request` for a redirect address that could never be used
 */
export async function createApplication(
  { db, secrets, now }: ApplicationContext,
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
  { db }: ApplicationContext,
  application: OAuthApplication,
  details: ApplicationDetails,
): Promise<OAuthApplication> {
  const columns = columnsOf(details);
  await updateApplication(db, application.client_id, columns);
  return { ...application, ...columns };
}

/** Replaces the secret of an application; the old one is no longer valid. */
export async function resetClientSecret(
  { db, secrets }: ApplicationContext,
  application: OAuthApplication,
): Promise<OAuthApplication> {
  const secret_sealed = secrets.seal(randomSecret(40));
  await updateApplication(db, application.client_id, { secret_sealed });
  return { ...application, secret_sealed };
}

function columnsOf(details: ApplicationDetails) {
  const { name, redirect_uri = "", application_uri = "", description = "", avatar_email = null } = details;
  checkRegisteredRedirect(redirect_uri);
  return { name, redirect_uri, application_uri, description, avatar_email };
}
