import { sql } from "kysely";
import type { AccountRow } from "../../../access/queries/accounts.ts";
import { afterPrefix, likeText } from "../../../store/prefixes.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";
import { isVisibleTo, type Viewer } from "../../queries/visible-repositories.ts";

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
export interface RepositorySearch {
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
