import { sql } from "kysely";
import { raiseSecurityRevisions } from "../../content/queries/finding-counts.ts";
import type { ManifestIn } from "../../content/queries/manifest-content.ts";
import { receiversOf } from "../../events/queries/notifications.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";
import type { FindingCountTable } from "../../store/tables/content.ts";
import type { FindingCounts, NamedVulnerability } from "../finding-counts.ts";
import type { FoundUpgrade } from "../upgrades.ts";

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

/** The counts of an image at an instant. */
interface CountedImage {
  readonly manifestId: string;
  readonly counts: FindingCounts;
  /** When the report was read, in epoch milliseconds. */
  readonly at: number;
  /** When the image is due to be counted again. */
  readonly dueAt: number;
}

/** Stores the counts of an image. @returns false if newer ones are stored, or the image is deleted */
export async function putFindingCounts(
  db: RegistryDb,
  { manifestId, counts, at, dueAt }: CountedImage,
): Promise<boolean> {
  const columns = { ...counts, counted_at: at, due_at: dueAt };
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const stored = await db
    .insertInto("finding_count")
    .columns(["manifest_id", ...names])
    .expression((from) =>
      from
        .selectFrom("image_manifest")
        .select("id as manifest_id")
        .select(names.map((name) => typed(columns[name], name).as(name)))
        .where("id", "=", manifestId),
    )
    .onConflict((conflict) =>
      conflict
        .column("manifest_id")
        .doUpdateSet((row) => Object.fromEntries(names.map((name) => [name, row.ref(`excluded.${name}`)])))
        .where(sql<boolean>`coalesce(finding_count.counted_at, 0) <= ${at}`),
    )
    .returning("manifest_id")
    .executeTakeFirst();
  return stored !== undefined;
}

/** Whether an image was counted before with feeds for its packages: what is found the first time is not news. */
export async function hasJudgedCounts(db: RegistryDb, manifestId: string): Promise<boolean> {
  const counts = await db
    .selectFrom("finding_count")
    .select(["counted_at", "data_state"])
    .where("manifest_id", "=", manifestId)
    .executeTakeFirst();
  return counts !== undefined && counts.counted_at !== null && counts.data_state !== "missing";
}

/** Makes some of the images due that are not, and marks their counts as outdated. @returns how many */
export async function markOutdated(db: RegistryDb, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("finding_count")
    .set({ due_at: now, data_state: sql`case when data_state = 'missing' then data_state else 'outdated' end` })
    .where(({ eb, selectFrom }) =>
      eb(
        "manifest_id",
        "in",
        selectFrom("finding_count").select("manifest_id").where("due_at", ">", now).limit(markedAtOnce),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** How many images are marked in a transaction, so that others can write in between. */
const markedAtOnce = 1000;

/**
 * Stores the vulnerabilities of an image, and when each was first found. Writes only those that have changed. Must run in the transaction that stored
 * its counts.
 * @returns the names of the vulnerabilities that the image did not have before
 */
export async function putVulnerabilities(
  db: RegistryDb,
  { manifestId, at, isNews }: Pick<CountedImage, "manifestId" | "at"> & { readonly isNews: boolean },
  vulnerabilities: readonly NamedVulnerability[],
): Promise<readonly string[]> {
  const stored = await db
    .selectFrom("found_vulnerability")
    .select(["name", "severity", "has_fix", "is_exploited", "is_alias", "found_at"])
    .where("manifest_id", "=", manifestId)
    .execute();
  const [before, now] = [new Set(stored.map(keyOf)), new Set(vulnerabilities.map(keyOf))];
  const gone = stored.filter((each) => !now.has(keyOf(each))).map(({ name }) => name);
  for (const names of inChunks(gone)) {
    await db
      .deleteFrom("found_vulnerability")
      .where("manifest_id", "=", manifestId)
      .where("name", "in", names)
      .execute();
  }
  const known = new Map(stored.map(({ name, found_at }) => [name, found_at]));
  const foundAt = isNews ? at : null;
  const changed = vulnerabilities
    .filter((each) => !before.has(keyOf(each)))
    .map((each) => ({
      manifest_id: manifestId,
      ...each,
      found_at: known.has(each.name) ? (known.get(each.name) ?? null) : foundAt,
    }));
  for (let first = 0; first < changed.length; first += rowsAtOnce) {
    await db
      .insertInto("found_vulnerability")
      .values(changed.slice(first, first + rowsAtOnce))
      .execute();
  }
  if (gone.length + changed.length > 0) await raiseSecurityRevisions(db, [manifestId]);
  const fresh = changed.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (fresh.length > 0 && isNews) {
    await db.updateTable("finding_count").set({ news_at: at }).where("manifest_id", "=", manifestId).execute();
  }
  return fresh;
}

/** The most rows of a statement, since each has seven parameters. */
const rowsAtOnce = 140;

function keyOf({ name, severity, has_fix, is_exploited, is_alias }: NamedVulnerability): string {
  return JSON.stringify([name, severity, has_fix, is_exploited, is_alias]);
}

/** Stores the upgrades of an image in place of those before, if they are not the same. */
export async function putUpgrades(
  db: RegistryDb,
  manifestId: string,
  upgrades: readonly FoundUpgrade[],
): Promise<void> {
  const stored = await db
    .selectFrom("found_upgrade")
    .select(["package_type", "package", "version", "to_version", "critical", "high", "exploited"])
    .where("manifest_id", "=", manifestId)
    .execute();
  const [before, now] = [stored, upgrades].map((some) => some.map(keyOfUpgrade).sort().join());
  if (before === now) return;
  await db.deleteFrom("found_upgrade").where("manifest_id", "=", manifestId).execute();
  for (let first = 0; first < upgrades.length; first += rowsAtOnce / 2) {
    const rows = upgrades.slice(first, first + rowsAtOnce / 2).map((each) => ({ manifest_id: manifestId, ...each }));
    await db.insertInto("found_upgrade").values(rows).execute();
  }
}

function keyOfUpgrade({ package_type, package: name, version, to_version, critical, high, exploited }: FoundUpgrade) {
  return JSON.stringify([package_type, name, version, to_version, critical, high, exploited]);
}

/** PostgreSQL cannot infer the type of a selected parameter. */
function typed(value: string | number, name: keyof FindingCountTable) {
  return sql<never>`cast(${value} as ${sql.raw(name === "data_state" ? "text" : "bigint")})`;
}

/** Sets when an image is due to be counted; its counts stay. Does nothing for a deleted image. */
export async function putDue(db: RegistryDb, manifestId: string, dueAt: number): Promise<void> {
  await db
    .insertInto("finding_count")
    .columns(["manifest_id", "due_at"])
    .expression((from) =>
      from
        .selectFrom("image_manifest")
        .select(["id as manifest_id", sql<number>`cast(${dueAt} as bigint)`.as("due_at")])
        .where("id", "=", manifestId),
    )
    .onConflict((conflict) => conflict.column("manifest_id").doUpdateSet({ due_at: dueAt }))
    .execute();
}

/** The images that are due to be counted at an instant, the longest due first. */
export function listDue(
  db: RegistryDb,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly ManifestIn[]> {
  return db
    .selectFrom("finding_count")
    .innerJoin("image_manifest", "image_manifest.id", "finding_count.manifest_id")
    .select(["image_manifest.digest", "image_manifest.repository_id as repositoryId"])
    .where("finding_count.due_at", "<=", now)
    .orderBy("finding_count.due_at")
    .limit(limit)
    .execute();
}

/** A rule that suppresses findings, as it is stored. */
export type IgnoreRuleRow = Row<"ignore_rule">;

/** The unexpired rules for the images of a repository: its own and those of its namespace, the oldest first. */
export function listActiveRules(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly IgnoreRuleRow[]> {
  return db
    .selectFrom("ignore_rule")
    .selectAll()
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("repository_id", "=", repositoryId),
        eb(
          "namespace_id",
          "=",
          selectFrom("image_repository")
            .select("image_repository.namespace_id")
            .where("image_repository.id", "=", repositoryId),
        ),
      ]),
    )
    .where("expires_at", ">", now)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The precision of the stored time of the last use, so that counting images does not write each time. */
const usedWithinMs = 24 * 3_600_000;

/** Stores that rules have suppressed findings. Rows are written in the order of their ids, so that two transactions cannot deadlock. */
export async function putUse(db: RegistryDb, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const stale = await db
    .selectFrom("ignore_rule")
    .select("id")
    .where("id", "in", ids)
    .where(({ eb, or }) => or([eb("used_at", "is", null), eb("used_at", "<", now - usedWithinMs)]))
    .orderBy("id")
    .execute();
  for (const { id } of stale) await db.updateTable("ignore_rule").set({ used_at: now }).where("id", "=", id).execute();
}
