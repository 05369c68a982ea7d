import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../../lists/read-from.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";
import type { PrunePolicyTable } from "../../../store/tables/repositories.ts";

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

function policiesOf(db: RegistryDb, { namespaceId, repository }: PruneOwner) {
  const policies = db.selectFrom("prune_policy").selectAll().where("namespace_id", "=", namespaceId);
  return repository === undefined
    ? policies.where("repository_id", "is", null)
    : policies.where("repository_id", "=", repository.id);
}

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
