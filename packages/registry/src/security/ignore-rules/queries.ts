import { sql } from "kysely";
import type { RuleOwner } from "../../access/named-owner.ts";
import { raiseSecurityRevisions } from "../../content/queries/finding-counts.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { IgnoreRuleRow } from "../queries/findings.ts";

/** The columns that identify an owner. */
export function ownerColumns(owner: RuleOwner): Pick<IgnoreRuleRow, "namespace_id" | "repository_id"> {
  if ("repositoryId" in owner) return { namespace_id: null, repository_id: owner.repositoryId };
  return { namespace_id: owner.namespaceId, repository_id: null };
}

function rulesOf(db: RegistryDb, owner: RuleOwner) {
  const rules = db.selectFrom("ignore_rule");
  if ("repositoryId" in owner) return rules.where("repository_id", "=", owner.repositoryId);
  return rules.where("namespace_id", "=", owner.namespaceId);
}

/** The rules of an owner, the latest first. */
export function listRules(db: RegistryDb, owner: RuleOwner): Promise<readonly IgnoreRuleRow[]> {
  return rulesOf(db, owner).selectAll().orderBy("created_at", "desc").orderBy("id").execute();
}

/** Adds a rule. */
export async function insertRule(db: RegistryDb, rule: NewRow<"ignore_rule">): Promise<void> {
  await db.insertInto("ignore_rule").values(rule).execute();
}

/** Removes a rule of an owner. @returns the removed rule; undefined if there is none */
export async function takeRule(db: RegistryDb, owner: RuleOwner, id: string): Promise<IgnoreRuleRow | undefined> {
  const { namespace_id, repository_id } = ownerColumns(owner);
  return db
    .deleteFrom("ignore_rule")
    .where("id", "=", id)
    .where(sql<boolean>`coalesce(namespace_id, '') = ${namespace_id ?? ""}`)
    .where(sql<boolean>`coalesce(repository_id, '') = ${repository_id ?? ""}`)
    .returningAll()
    .executeTakeFirst();
}

/** How many images are marked in one statement, while other writers wait. */
const imagesAtOnce = 500;

/**
 * Marks a page of an owner's images for counting their vulnerabilities again.
 * @param after the last id of the page before
 * @returns the last id of this page; undefined if there were no more images
 */
export async function countAgain(db: RegistryDb, owner: RuleOwner, after: string): Promise<string | undefined> {
  const repositories = db.selectFrom("image_repository").select("id");
  const images = await db
    .selectFrom("image_manifest")
    .select("id")
    .where(
      "repository_id",
      "in",
      "repositoryId" in owner
        ? repositories.where("id", "=", owner.repositoryId)
        : repositories.where("namespace_id", "=", owner.namespaceId),
    )
    .where("id", ">", after)
    .orderBy("id")
    .limit(imagesAtOnce)
    .execute();
  const ids = images.map(({ id }) => id);
  if (ids.length > 0) {
    await db.updateTable("finding_count").set({ due_at: 0 }).where("manifest_id", "in", ids).execute();
    await raiseSecurityRevisions(db, ids);
  }
  return ids.at(-1);
}
