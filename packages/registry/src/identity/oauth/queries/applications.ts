import type { OAuthApplication } from "../../../access/queries/applications.ts";
import type { CreationKey, ReadFrom } from "../../../lists/read-from.ts";
import type { NewRow, RegistryDb, RowChanges } from "../../../store/tables/all.ts";

/** Some applications of an organization, the oldest first. */
export async function listOAuthApplications(
  db: RegistryDb,
  organizationId: string,
  { after, limit }: ReadFrom<CreationKey>,
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

/** Stores an application. */
export async function insertApplication(db: RegistryDb, application: NewRow<"oauth_application">): Promise<void> {
  await db.insertInto("oauth_application").values(application).execute();
}

/** Changes an application. */
export async function updateApplication(
  db: RegistryDb,
  clientId: string,
  changes: RowChanges<"oauth_application">,
): Promise<void> {
  await db.updateTable("oauth_application").set(changes).where("client_id", "=", clientId).execute();
}

/** Deletes an application; the database deletes its tokens, codes and assignments with it. */
export async function removeApplication(db: RegistryDb, clientId: string): Promise<void> {
  await db.deleteFrom("oauth_application").where("client_id", "=", clientId).execute();
}
