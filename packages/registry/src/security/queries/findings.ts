import { sql } from "kysely";
import { receiversOf } from "../../events/queries/notifications.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

const event = "vulnerability_found";

/** Whether any image was scanned, so that updates of feeds can change its vulnerabilities. */
export async function hasScannedImages(db: RegistryDb): Promise<boolean> {
  return (await db.selectFrom("finding_count").select("manifest_id").limit(1).executeTakeFirst()) !== undefined;
}

/** The images in repositories that were scanned. */
function scannedManifests(db: RegistryDb) {
  return db
    .selectFrom("image_manifest")
    .innerJoin("finding_count", "finding_count.manifest_id", "image_manifest.id")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .where("image_manifest.deleted_at", "is", null)
    .where("image_repository.state", "!=", "deleted");
}

/** Those of some digests of images that were scanned. */
export async function findScannedDigests(db: RegistryDb, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const scanned = new Set<string>();
  for (const some of inChunks(digests)) {
    const rows = await scannedManifests(db)
      .select("image_manifest.digest")
      .distinct()
      .where("image_manifest.digest", "in", some)
      .execute();
    for (const { digest } of rows) scanned.add(digest);
  }
  return scanned;
}

/** The scanned images of a digest, with their repositories, and whether those have a notification of new vulnerabilities. */
export async function listScannedManifests(db: RegistryDb, digest: string) {
  return scannedManifests(db)
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .selectAll("image_manifest")
    .select(["image_repository.name as repositoryName", "account.username as namespace"])
    .select(({ exists, ref }) => exists(receiversOf(db, ref("image_repository.id"), event)).as("hasReceivers"))
    .where("image_manifest.digest", "=", digest)
    .orderBy("image_manifest.id")
    .execute();
}

/** The notifications of new vulnerabilities of a repository, with their conditions. */
export async function listFindingReceivers(
  db: RegistryDb,
  repositoryId: string,
): Promise<readonly { readonly id: string; readonly event_config: string }[]> {
  return receiversOf(db, repositoryId, event).select("event_config").orderBy("id").execute();
}

/** Some names of the alive tags of an image, or of an index that lists it. */
export async function listTagsShowing(
  db: RegistryDb,
  image: { readonly repositoryId: string; readonly manifestId: string; readonly now: number; readonly limit: number },
): Promise<readonly string[]> {
  const { repositoryId, manifestId, now, limit } = image;
  const { rows } = await sql<{ readonly name: string }>`
    with recursive above(id) as (
      select id from image_manifest where id = ${manifestId} union
      select manifest_child.manifest_id from manifest_child join above on above.id = manifest_child.child_id)
    select distinct tag.name from above join tag on tag.manifest_id = above.id
    where tag.repository_id = ${repositoryId} and (tag.end_at is null or tag.end_at > ${now})
    order by tag.name limit ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}

/** A vulnerability for which events were queued. */
export interface NotifiedFinding {
  readonly name: string;
  readonly priority: string;
}

/** The vulnerabilities of an image for which events were queued. */
export async function listNotified(db: RegistryDb, manifestId: string): Promise<readonly NotifiedFinding[]> {
  return db.selectFrom("told_finding").select(["name", "priority"]).where("manifest_id", "=", manifestId).execute();
}

/** Stores that events are queued for vulnerabilities of an image. @returns those that are new */
export async function putNotifiedFindings(
  db: RegistryDb,
  { manifestId, now }: { readonly manifestId: string; readonly now: number },
  findings: readonly NotifiedFinding[],
): Promise<readonly NotifiedFinding[]> {
  const fresh: NotifiedFinding[] = [];
  for (const some of inChunks(findings)) {
    const rows = some.map(({ name, priority }) => ({ manifest_id: manifestId, name, priority, told_at: now }));
    const added = db
      .insertInto("told_finding")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing());
    fresh.push(...(await added.returning(["name", "priority"]).execute()));
  }
  return fresh;
}

/** Deletes vulnerabilities of an image that are gone, so that events are queued if they return. */
export async function removeNotified(
  db: RegistryDb,
  manifestId: string,
  findings: readonly NotifiedFinding[],
): Promise<void> {
  for (const { name, priority } of findings) {
    const findings = db.deleteFrom("told_finding").where("manifest_id", "=", manifestId);
    await findings.where("name", "=", name).where("priority", "=", priority).execute();
  }
}
