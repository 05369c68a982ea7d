import { sql } from "kysely";
import type { ManifestIn } from "../../content/queries/image-manifests.ts";
import { raiseSecurityRevisions } from "../../content/queries/security-revisions.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { FindingCountTable } from "../../store/tables/content.ts";
import type { FindingCounts, NamedVulnerability } from "../finding-counts.ts";

/** The counts of an image at an instant. */
export interface CountedImage {
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

/**
 * Stores the vulnerabilities of an image, and when each was first found. Writes only those that have changed. Must run in the transaction that stored
 * its counts.
 * @returns the names of the vulnerabilities that the image did not have before
 */
export async function putVulnerabilities(
  db: RegistryDb,
  { manifestId, at }: Pick<CountedImage, "manifestId" | "at">,
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
  const changed = vulnerabilities
    .filter((each) => !before.has(keyOf(each)))
    .map((each) => ({
      manifest_id: manifestId,
      ...each,
      found_at: known.has(each.name) ? (known.get(each.name) ?? null) : at,
    }));
  for (let first = 0; first < changed.length; first += rowsAtOnce) {
    await db
      .insertInto("found_vulnerability")
      .values(changed.slice(first, first + rowsAtOnce))
      .execute();
  }
  if (gone.length + changed.length > 0) await raiseSecurityRevisions(db, [manifestId]);
  const fresh = changed.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (fresh.length > 0) {
    await db.updateTable("finding_count").set({ news_at: at }).where("manifest_id", "=", manifestId).execute();
  }
  return fresh;
}

/** The most rows of a statement, since each has seven parameters. */
const rowsAtOnce = 140;

function keyOf({ name, severity, has_fix, is_exploited, is_alias }: NamedVulnerability): string {
  return JSON.stringify([name, severity, has_fix, is_exploited, is_alias]);
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
