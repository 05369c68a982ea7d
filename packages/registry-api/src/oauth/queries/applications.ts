import type { Selectable } from "kysely";
import type { MadeKey, ReadFrom } from "../../lists/read-from.ts";
import type { OAuthApplicationTable } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** An OAuth application as it is stored. */
export type OAuthApplication = Selectable<OAuthApplicationTable>;

/** The application with that client id. */
export async function findOAuthApplication(db: RegistryDb, clientId: string): Promise<OAuthApplication | undefined> {
  return db.selectFrom("oauth_application").selectAll().where("client_id", "=", clientId).executeTakeFirst();
}

/** Some applications of an organization, the oldest first. */
export async function listOAuthApplications(
  db: RegistryDb,
  organizationId: string,
  { after, limit }: ReadFrom<MadeKey>,
): Promise<readonly OAuthApplication[]> {
  return db
    .selectFrom("oauth_application")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "client_id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("client_id")
    .limit(limit)
    .execute();
}
