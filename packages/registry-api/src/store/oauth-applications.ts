import type { Selectable } from "kysely";
import type { OAuthApplicationTable } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";

/** An OAuth application as it is stored. */
export type OAuthApplication = Selectable<OAuthApplicationTable>;

/** The application with that client id. */
export async function findOAuthApplication(db: RegistryDb, clientId: string): Promise<OAuthApplication | undefined> {
  return db.selectFrom("oauth_application").selectAll().where("client_id", "=", clientId).executeTakeFirst();
}

/** The applications of an organization, the oldest first. */
export async function listOAuthApplications(
  db: RegistryDb,
  organizationId: string,
): Promise<readonly OAuthApplication[]> {
  return db
    .selectFrom("oauth_application")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("client_id")
    .execute();
}
