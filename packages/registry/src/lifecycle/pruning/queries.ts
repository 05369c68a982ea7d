import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../lists/list-pages.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { TagTable } from "../../store/tables/content.ts";
import type { PrunePolicyTable } from "../../store/tables/repositories.ts";

/** A policy as it is stored. */
export type PrunePolicyRow = Selectable<PrunePolicyTable>;

/** The owner of a policy: a namespace, for all of its repositories, or one repository. */
export interface PruneOwner {
  readonly namespaceId: string;
  readonly namespace: string;
  readonly repository?: { readonly id: string; readonly name: string };
}

/** The checked values of a policy. */
export type PruneValues = Pick<PrunePolicyRow, "method" | "value" | "tag_pattern" | "tag_pattern_matches">;

/** Some policies of an owner, the oldest first. */
export async function listStoredPolicies(
  db: RegistryDb,
  owner: PruneOwner,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly PrunePolicyRow[]> {
  return policiesOf(db, owner)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

function policiesOf(db: RegistryDb, { namespaceId, repository }: PruneOwner) {
  const policies = db.selectFrom("prune_policy").selectAll().where("namespace_id", "=", namespaceId);
  return repository === undefined
    ? policies.where("repository_id", "is", null)
    : policies.where("repository_id", "=", repository.id);
}

/** A policy of an owner. */
export async function findPolicy(db: RegistryDb, owner: PruneOwner, id: string): Promise<PrunePolicyRow | undefined> {
  return policiesOf(db, owner).where("id", "=", id).executeTakeFirst();
}

/** Stores a policy. */
export async function insertPolicy(db: RegistryDb, policy: NewRow<"prune_policy">): Promise<void> {
  await db.insertInto("prune_policy").values(policy).execute();
}

/** Changes the values of a policy. */
export async function updateStoredPolicy(db: RegistryDb, id: string, values: PruneValues): Promise<void> {
  await db.updateTable("prune_policy").set(values).where("id", "=", id).execute();
}

/** Deletes a policy. */
export async function removePolicy(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("prune_policy").where("id", "=", id).execute();
}

/** A policy of an owner with the same values, other than the one with the given id. */
export async function findDuplicate(
  db: RegistryDb,
  owner: PruneOwner,
  {
    values: { method, value, tag_pattern, tag_pattern_matches },
    id,
  }: { readonly values: PruneValues; readonly id?: string | undefined },
): Promise<PrunePolicyRow | undefined> {
  return policiesOf(db, owner)
    .where("id", "!=", id ?? "")
    .where("method", "=", method)
    .where("value", "=", value)
    .where("tag_pattern", tag_pattern === null ? "is" : "=", tag_pattern)
    .where("tag_pattern_matches", "=", tag_pattern_matches)
    .executeTakeFirst();
}

/** A namespace whose repositories are pruned. */
interface PrunedNamespace {
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
