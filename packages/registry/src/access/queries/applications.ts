import type { Selectable } from "kysely";
import type { OAuthApplicationTable } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** An OAuth application as it is stored. */
export type OAuthApplication = Selectable<OAuthApplicationTable>;

/** The application with that client id. */
export async function findOAuthApplication(db: RegistryDb, clientId: string): Promise<OAuthApplication | undefined> {
  return db.selectFrom("oauth_application").selectAll().where("client_id", "=", clientId).executeTakeFirst();
}
