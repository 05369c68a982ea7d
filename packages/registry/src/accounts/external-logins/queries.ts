import { compileOnce, type Parameter } from "@plimsoll/store";
import type { AccountRow } from "../../access/queries.ts";
import type { ProviderLogout } from "../../ports/identities.ts";
import type { NewRow, RegistryDb, Row, RowChanges } from "../../store/tables/all.ts";

/** The account that is linked to a user of an outside service. */
export async function findLinkedAccount(
  db: RegistryDb,
  service: string,
  subject: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom("external_login")
    .innerJoin("account", "account.id", "external_login.account_id")
    .selectAll("account")
    .where("external_login.service", "=", service)
    .where("external_login.subject", "=", subject)
    .executeTakeFirst();
}

/** The outside logins of an account, ordered by service. */
export async function listExternalLogins(db: RegistryDb, accountId: string): Promise<readonly Row<"external_login">[]> {
  return listLoginsOf(db, { accountId });
}

const listLoginsOf = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ accountId: string }>) =>
    db
      .selectFrom("external_login")
      .selectAll()
      .where("account_id", "=", parameter("accountId"))
      .orderBy("service")
      .limit(100), // one for each service
);

/** A page of the linked users of a service, ordered by subject. */
export async function listLoginsOfService(
  db: RegistryDb,
  service: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly Pick<Row<"external_login">, "subject" | "account_id">[]> {
  return db
    .selectFrom("external_login")
    .select(["subject", "account_id"])
    .where("service", "=", service)
    .where("subject", ">", after)
    .orderBy("subject")
    .limit(limit)
    .execute();
}

/** Stores an outside login. @returns false if the user of the service is linked, or the account has another login of the service */
export async function insertExternalLogin(db: RegistryDb, login: NewRow<"external_login">): Promise<boolean> {
  const inserted = await db
    .insertInto("external_login")
    .values(login)
    .onConflict((conflict) => conflict.doNothing())
    .returning("subject")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Removes the login of an account with one service. */
export async function deleteExternalLogin(db: RegistryDb, accountId: string, service: string): Promise<void> {
  await db.deleteFrom("external_login").where("account_id", "=", accountId).where("service", "=", service).execute();
}

/** Changes columns of the login of an account with one service. */
export async function updateExternalLogin(
  db: RegistryDb,
  { account_id, service }: Pick<Row<"external_login">, "account_id" | "service">,
  changes: RowChanges<"external_login">,
): Promise<void> {
  await db
    .updateTable("external_login")
    .set(changes)
    .where("account_id", "=", account_id)
    .where("service", "=", service)
    .execute();
}

/** Records the use of a logout token. @returns false if it was used before */
export async function useLogoutToken(db: RegistryDb, token: NewRow<"logout_token">): Promise<boolean> {
  const used = await db
    .insertInto("logout_token")
    .values(token)
    .onConflict((conflict) => conflict.doNothing())
    .returning("jti_hash")
    .executeTakeFirst();
  return used !== undefined;
}

/** Ends the sessions that began with a session of a provider (`sid`), of a user (`subject`), or both. @returns the ids of the accounts */
export async function endProviderSessions(
  db: RegistryDb,
  { service, subject, sid }: Pick<ProviderLogout, "subject" | "sid"> & { readonly service: string },
): Promise<readonly string[]> {
  let sessions = db.deleteFrom("session").where("outside_service", "=", service);
  if (sid !== undefined) sessions = sessions.where("outside_sid", "=", sid);
  if (subject !== undefined) sessions = sessions.where("outside_subject", "=", subject);
  const ended = await sessions.returning("account_id").execute();
  return [...new Set(ended.map(({ account_id }) => account_id))];
}
