import type { OAuthApplication } from "../../access/queries/applications.ts";
import type { MadeKey, ReadFrom } from "../../lists/read-from.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

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
