import { sql } from "kysely";
import type { AccountRow } from "../../access/queries.ts";
import { afterPrefix, likeText } from "../../store/expressions.ts";
import type { AccountKind } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isVisibleTo, type Viewer } from "../queries/visible-repositories.ts";

/** An account that was found by its name. */
export type FoundAccount = Pick<AccountRow, "id" | "kind" | "username" | "email">;

/** A query for accounts by the beginning of their names. */
interface AccountPrefix {
  readonly prefix: string;
  readonly kinds: "users" | "users and organizations";
  readonly limit: number;
}

/**
 * The first enabled users, or users and organizations, whose names begin with a text, by name. The condition on the kind uses `<>`: for
 * `=` SQLite would read all accounts of that kind and sort them.
 */
export async function listAccountsByPrefix(
  db: RegistryDb,
  { prefix, kinds, limit }: AccountPrefix,
): Promise<readonly FoundAccount[]> {
  return db
    .selectFrom("account")
    .select(["id", "kind", "username", "email"])
    .where("username", ">=", prefix)
    .where("username", "<", afterPrefix(prefix))
    .where("kind", "<>", sql.lit("robot")) // the condition of the partial index on names
    .$if(kinds === "users", (accounts) => accounts.where("kind", "<>", "organization"))
    .where("enabled", "=", 1)
    .orderBy("username")
    .limit(limit)
    .execute();
}

/** Some teams of an organization whose names begin with a prefix, by name. */
export function findTeamsByPrefix(
  db: RegistryDb,
  organizationId: string,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
) {
  return db
    .selectFrom("team")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .where("name", ">=", prefix)
    .where("name", "<", afterPrefix(prefix))
    .orderBy("name")
    .limit(limit)
    .execute();
}

/** Some robots of an owner whose short names begin with a prefix, by name. */
export async function findRobotsByPrefix(
  db: RegistryDb,
  ownerId: string,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<readonly FoundAccount[]> {
  return db
    .selectFrom("robot")
    .innerJoin("account", "account.id", "robot.account_id")
    .select(["account.id", "account.kind", "account.username", "account.email"])
    .where("robot.owner_id", "=", ownerId)
    .where("robot.short_name", ">=", prefix)
    .where("robot.short_name", "<", afterPrefix(prefix))
    .orderBy("robot.short_name")
    .limit(limit)
    .execute();
}

/** A search for teams and robots of an account. */
interface OwnSearch {
  readonly accountId: string;
  /** Whether the account's own namespace is searched. */
  readonly inOwn: boolean;
  /** Whether the organizations that the account administers are searched. */
  readonly inAdministered: boolean;
  readonly prefix: string;
  readonly limit: number;
}

/** A team that was found, and its organization. */
export interface FoundTeam {
  readonly id: string;
  readonly name: string;
  readonly organization: Pick<AccountRow, "kind" | "username" | "email">;
}

/** The teams whose names begin with a text, among those that an account is in and those that it may administer. */
export async function searchOwnTeams(
  db: RegistryDb,
  { accountId, inAdministered, prefix, limit }: Omit<OwnSearch, "inOwn">,
): Promise<readonly FoundTeam[]> {
  const memberships = db.selectFrom("team_member").select("team_id").where("account_id", "=", accountId);
  const rows = await db
    .selectFrom("team")
    .innerJoin("account", "account.id", "team.organization_id")
    .select(["team.id", "team.name", "account.kind", "account.username", "account.email"])
    .where("team.name", ">=", prefix)
    .where("team.name", "<", afterPrefix(prefix))
    .where((where) =>
      where.or([
        where("team.id", "in", memberships),
        ...(inAdministered ? [where("team.organization_id", "in", administeredBy(db, accountId))] : []),
      ]),
    )
    .orderBy("team.name")
    .orderBy("account.username")
    .limit(limit)
    .execute();
  return rows.map(({ id, name, ...organization }) => ({ id, name, organization }));
}

/** A robot that was found, and its owner. */
export interface FoundRobot {
  readonly username: string;
  readonly short_name: string;
  readonly owner: string;
  readonly ownerKind: AccountKind;
}

/** The robots whose short names begin with a text, among those that an account may administer. */
export async function searchOwnRobots(
  db: RegistryDb,
  { accountId, inOwn, inAdministered, prefix, limit }: OwnSearch,
): Promise<readonly FoundRobot[]> {
  return db
    .selectFrom("robot")
    .innerJoin("account", "account.id", "robot.account_id")
    .innerJoin("account as owner", "owner.id", "robot.owner_id")
    .select(["account.username", "robot.short_name", "owner.kind as ownerKind", "owner.username as owner"])
    .where("robot.short_name", ">=", prefix)
    .where("robot.short_name", "<", afterPrefix(prefix))
    .where((where) =>
      where.or([
        ...(inOwn ? [where("robot.owner_id", "=", accountId)] : []),
        ...(inAdministered ? [where("robot.owner_id", "in", administeredBy(db, accountId))] : []),
      ]),
    )
    .orderBy("robot.short_name")
    .orderBy("account.username")
    .limit(limit)
    .execute();
}

function administeredBy(db: RegistryDb, accountId: string) {
  return db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .select("team.organization_id")
    .where("team_member.account_id", "=", accountId)
    .where("team.role", "=", "admin");
}

/** A repository that was found. */
export interface FoundRepository extends Pick<AccountRow, "username" | "email"> {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: string;
  /** Of the namespace, as `username` and `email` are. */
  readonly namespaceKind: AccountRow["kind"];
  /** How many users have starred it. Text on PostgreSQL. */
  readonly stars: number | string | null;
}

/** A search for repositories by name. */
interface RepositorySearch {
  readonly viewer: Viewer;
  readonly namespaceId?: string | undefined;
  /** In lower case, as the names of repositories are. */
  readonly part: string;
  readonly limit: number;
}

/** Repositories that a viewer sees and whose names contain a text; names that begin with it come first. */
export async function searchRepositories(
  db: RegistryDb,
  search: RepositorySearch,
): Promise<readonly FoundRepository[]> {
  const { part, limit } = search;
  const beginning = await found(db, search)
    .where("image_repository.name", ">=", part)
    .where("image_repository.name", "<", afterPrefix(part))
    .execute();
  if (beginning.length === limit) return beginning;
  const elsewhere = await found(db, search)
    .where("image_repository.name", "like", sql<string>`${likeText(part).replace("%", "_%")} escape '\\'`)
    .execute();
  const known = new Set(beginning.map(({ id }) => id));
  return [...beginning, ...elsewhere.filter(({ id }) => !known.has(id))].slice(0, limit);
}

function found(db: RegistryDb, { viewer, namespaceId, limit }: RepositorySearch) {
  return db
    .selectFrom("image_repository")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["image_repository.id", "image_repository.name", "description", "visibility"])
    .select(["account.username", "account.email", "account.kind as namespaceKind"])
    .select(stars.as("stars"))
    .where(isVisibleTo(viewer))
    .$if(namespaceId !== undefined, (repositories) =>
      repositories.where("image_repository.namespace_id", "=", namespaceId ?? ""),
    )
    .orderBy("image_repository.name")
    .orderBy("account.username")
    .limit(limit);
}

const stars = sql<number | string>`(select count(*) from repository_star
  where repository_star.repository_id = image_repository.id)`;
