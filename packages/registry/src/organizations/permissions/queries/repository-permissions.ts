import type { Selectable } from "kysely";
import type { AccountRow, ImageRepository } from "../../../access/queries.ts";
import type { CreationKey, ReadFrom } from "../../../lists/list-pages.ts";
import type { RepositoryRole } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";
import type { RepositoryTokenTable } from "../../../store/tables/repositories.ts";

/** A role of a user or robot on a repository. */
export interface AccountGrant extends Pick<AccountRow, "id" | "kind" | "username" | "email"> {
  readonly role: RepositoryRole;
}

/** A role of a team on a repository. */
export interface TeamGrant {
  readonly id: string;
  readonly name: string;
  readonly role: RepositoryRole;
}

/** Some roles granted to users and robots on a repository, by their ids. */
export async function listAccountGrants(
  db: RegistryDb,
  repositoryId: string,
  { after: [id], limit }: ReadFrom<readonly [accountId: string]>,
): Promise<readonly AccountGrant[]> {
  return accountGrantsOn(db, repositoryId)
    .where("account_permission.account_id", ">", id)
    .orderBy("account_permission.account_id")
    .limit(limit)
    .execute();
}

/** The role granted to the user or robot of that name on a repository. */
export async function findAccountGrant(
  db: RegistryDb,
  repositoryId: string,
  username: string,
): Promise<AccountGrant | undefined> {
  return accountGrantsOn(db, repositoryId).where("account.username", "=", username).executeTakeFirst();
}

function accountGrantsOn(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("account_permission")
    .innerJoin("account", "account.id", "account_permission.account_id")
    .select(["account.id", "account.kind", "account.username", "account.email", "account_permission.role"])
    .where("account_permission.repository_id", "=", repositoryId);
}

/** Some roles granted to teams on a repository, by the ids of the teams. */
export async function listTeamGrants(
  db: RegistryDb,
  repositoryId: string,
  { after: [id], limit }: ReadFrom<readonly [teamId: string]>,
): Promise<readonly TeamGrant[]> {
  return teamGrantsOn(db, repositoryId)
    .where("team_permission.team_id", ">", id)
    .orderBy("team_permission.team_id")
    .limit(limit)
    .execute();
}

/** The role granted to the team of that name on a repository. */
export async function findTeamGrant(
  db: RegistryDb,
  repositoryId: string,
  teamName: string,
): Promise<TeamGrant | undefined> {
  return teamGrantsOn(db, repositoryId).where("team.name", "=", teamName).executeTakeFirst();
}

function teamGrantsOn(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("team_permission")
    .innerJoin("team", "team.id", "team_permission.team_id")
    .select(["team.id", "team.name", "team_permission.role"])
    .where("team_permission.repository_id", "=", repositoryId);
}

/** A role that a user or robot has on a repository: granted to them, or to a team they are in. */
export interface TransitiveRole {
  readonly role: RepositoryRole;
  /** Of the team. */
  readonly via?: string;
}

/** The key of a transitive role: the account's own role comes before those of its teams. */
export type TransitiveKey = readonly [part: "" | "own" | "team", teamId: string];

/** Some roles that a user or robot has on a repository. */
export async function listTransitiveRoles(
  db: RegistryDb,
  { repositoryId, accountId }: { readonly repositoryId: string; readonly accountId: string },
  { after: [part, teamId], limit }: ReadFrom<TransitiveKey>,
): Promise<readonly TransitiveRole[]> {
  const viaTeams = await db
    .selectFrom("team_member")
    .crossJoin("team_permission") // reads the roles of the account's own teams, not those of every team
    .select(["team_permission.role", "team_member.team_id as via"])
    .whereRef("team_permission.team_id", "=", "team_member.team_id")
    .where("team_permission.repository_id", "=", repositoryId)
    .where("team_member.account_id", "=", accountId)
    .where("team_member.team_id", ">", teamId)
    .orderBy("team_member.team_id")
    .limit(limit)
    .execute();
  if (part !== "") return viaTeams;
  const direct = await db
    .selectFrom("account_permission")
    .select("role")
    .where("repository_id", "=", repositoryId)
    .where("account_id", "=", accountId)
    .execute();
  return [...direct, ...viaTeams].slice(0, limit);
}

/** Grants an account a role on a repository, which replaces an earlier one. */
export async function putAccountGrant(
  db: RegistryDb,
  grant: { readonly repositoryId: string; readonly accountId: string; readonly role: RepositoryRole },
): Promise<void> {
  await db
    .insertInto("account_permission")
    .values({ repository_id: grant.repositoryId, account_id: grant.accountId, role: grant.role })
    .onConflict((conflict) => conflict.columns(["repository_id", "account_id"]).doUpdateSet({ role: grant.role }))
    .execute();
}

/** Deletes an account's role on a repository. */
export async function deleteAccountGrant(db: RegistryDb, repositoryId: string, accountId: string): Promise<void> {
  await db
    .deleteFrom("account_permission")
    .where("repository_id", "=", repositoryId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Grants a team a role on a repository, which replaces an earlier one. */
export async function putTeamGrant(
  db: RegistryDb,
  grant: { readonly repositoryId: string; readonly teamId: string; readonly role: RepositoryRole },
): Promise<void> {
  await db
    .insertInto("team_permission")
    .values({ repository_id: grant.repositoryId, team_id: grant.teamId, role: grant.role })
    .onConflict((conflict) => conflict.columns(["repository_id", "team_id"]).doUpdateSet({ role: grant.role }))
    .execute();
}

/** Deletes a team's role on a repository. */
export async function deleteTeamGrant(db: RegistryDb, repositoryId: string, teamId: string): Promise<void> {
  await db
    .deleteFrom("team_permission")
    .where("repository_id", "=", repositoryId)
    .where("team_id", "=", teamId)
    .execute();
}

/** Deletes a token. */
export async function removeRepositoryToken(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("repository_token").where("id", "=", id).execute();
}

/** A repository token as it is stored. */
export type RepositoryTokenRow = Selectable<RepositoryTokenTable>;

/** Some tokens of a repository, the oldest first. */
export async function listRepositoryTokens(
  db: RegistryDb,
  repository: ImageRepository,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly RepositoryTokenRow[]> {
  return db
    .selectFrom("repository_token")
    .selectAll()
    .where("repository_id", "=", repository.id)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Changes the role of a token. */
export async function setRepositoryTokenRole(db: RegistryDb, id: string, role: RepositoryRole): Promise<void> {
  await db.updateTable("repository_token").set({ role }).where("id", "=", id).execute();
}

/** Stores a token. */
export async function insertRepositoryToken(db: RegistryDb, token: NewRow<"repository_token">): Promise<void> {
  await db.insertInto("repository_token").values(token).execute();
}

/** The token of a repository with that code. */
export async function findRepositoryToken(
  db: RegistryDb,
  repositoryId: string,
  codeHash: string,
): Promise<RepositoryTokenRow | undefined> {
  const tokens = db.selectFrom("repository_token").selectAll().where("repository_id", "=", repositoryId);
  return tokens.where("code_hash", "=", codeHash).executeTakeFirst();
}
