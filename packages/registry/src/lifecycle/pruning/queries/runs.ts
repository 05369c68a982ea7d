import type { RegistryDb } from "../../../store/tables/all.ts";
import type { TagTable } from "../../../store/tables/content.ts";
import type { PrunePolicyRow } from "./policies.ts";

/** A namespace whose repositories are pruned. */
export interface PrunedNamespace {
  readonly namespaceId: string;
  readonly namespace: string;
}

/** A repository that accepts pushes, and the policies that apply to it. */
export interface PrunedRepository extends PrunedNamespace {
  readonly id: string;
  readonly name: string;
  readonly policies: readonly PrunePolicyRow[];
}

/** A tag that is alive. */
export interface PrunableTag {
  readonly id: string;
  readonly name: string;
  readonly start_at: number;
  /** The reason for which it is immutable; null if it is not. */
  readonly immutable_by: TagTable["immutable_by"];
}

/** The tag after which a page of tags begins. */
export type PrunePlace = Pick<PrunableTag, "name" | "start_at">;

/** How many tags are read, and ended, at once. */
export const tagsPerStep = 500;

const repositoriesPerPage = 50;

/** An enabled namespace that has a policy, of its own or of one of its repositories. */
export async function findPrunedNamespace(db: RegistryDb, id: string): Promise<PrunedNamespace | undefined> {
  const found = await db
    .selectFrom("account")
    .select("username")
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("prune_policy").select("id").where("namespace_id", "=", id).limit(1)),
    )
    .executeTakeFirst();
  return found && { namespaceId: id, namespace: found.username };
}

/** The namespaces that have a policy. */
export async function listNamespacesWithPolicies(db: RegistryDb): Promise<readonly string[]> {
  const rows = await db.selectFrom("prune_policy").select("namespace_id").distinct().execute();
  return rows.map(({ namespace_id }) => namespace_id);
}

/** A query for one of the policies that apply to a repository. */
export function policyFor(db: RegistryDb, namespaceId: string, repositoryId: string) {
  return rowsFor(db, namespaceId, [repositoryId]).limit(1);
}

/** The policies that apply to a repository: those of the namespace, and its own. The oldest first. */
export async function listPoliciesFor(
  db: RegistryDb,
  namespaceId: string,
  repositoryId: string,
): Promise<readonly PrunePolicyRow[]> {
  return policiesFor(db, namespaceId, [repositoryId]).execute();
}

function policiesFor(db: RegistryDb, namespaceId: string, repositoryIds: readonly string[]) {
  return rowsFor(db, namespaceId, repositoryIds).selectAll().orderBy("created_at").orderBy("id");
}

function rowsFor(db: RegistryDb, namespaceId: string, repositoryIds: readonly string[]) {
  return db
    .selectFrom("prune_policy")
    .where("namespace_id", "=", namespaceId)
    .where(({ or, eb }) => or([eb("repository_id", "is", null), eb("repository_id", "in", repositoryIds)]));
}

/** A page of the repositories of a namespace that accept pushes, with their policies. @param page.repositoryId only this one */
export async function listPrunedRepositories(
  db: RegistryDb,
  { namespaceId, repositoryId, after }: { namespaceId: string; repositoryId: string | undefined; after: string },
): Promise<readonly Omit<PrunedRepository, keyof PrunedNamespace>[]> {
  const repositories = await db
    .selectFrom("image_repository")
    .select(["id", "name"])
    .where("namespace_id", "=", namespaceId)
    .where("state", "=", "NORMAL")
    .where("id", ">", after)
    .$if(repositoryId !== undefined, (query) => query.where("id", "=", repositoryId ?? ""))
    .orderBy("id")
    .limit(repositoriesPerPage)
    .execute();
  if (repositories.length === 0) return [];
  const ids = repositories.map(({ id }) => id);
  const policies = await policiesFor(db, namespaceId, ids).execute();
  return repositories.map((each) => ({
    ...each,
    policies: policies.filter(({ repository_id }) => repository_id === null || repository_id === each.id),
  }));
}

/** Some tags of a repository that are alive, the newest first. */
export async function listPrunableTags(
  db: RegistryDb,
  page: { repositoryId: string; now: number; after: PrunePlace | undefined; limit?: number },
): Promise<readonly PrunableTag[]> {
  const { repositoryId, now, after, limit = tagsPerStep } = page;
  let tags = db
    .selectFrom("tag")
    .select(["id", "name", "start_at", "immutable_by"])
    .where("repository_id", "=", repositoryId)
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", now)]));
  if (after !== undefined) {
    const { start_at, name } = after;
    tags = tags
      .where("start_at", "<=", start_at)
      .where(({ or, eb }) => or([eb("start_at", "<", start_at), eb("name", ">", name)]));
  }
  return tags.orderBy("start_at", "desc").orderBy("name").limit(limit).execute();
}
