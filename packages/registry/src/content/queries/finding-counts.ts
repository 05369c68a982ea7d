import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";

/** The stored counts of an image's vulnerabilities. */
export type StoredCounts = Omit<Row<"finding_count">, "manifest_id" | "due_at" | "news_at">;

/** The columns of {@link StoredCounts}. */
export const countColumns = [
  ...(["critical", "high", "medium", "low", "negligible", "unknown", "fixable", "exploited"] as const),
  ...(["is_partial", "data_state", "counted_at"] as const),
];

/** The counts of an image that a manifest shows. */
export interface ShownCounts extends StoredCounts {
  /** The id of the manifest. */
  readonly shownBy: string;
}

/** The counts of the images that some manifests show: the manifest itself, or those that an image index lists. */
export async function listCountsOf(db: RegistryDb, manifestIds: readonly string[]): Promise<readonly ShownCounts[]> {
  const found: ShownCounts[] = [];
  for (const some of inChunks(manifestIds)) {
    const own = db
      .selectFrom("manifest_scan")
      .leftJoin("finding_count", "finding_count.manifest_id", "manifest_scan.manifest_id")
      .select("manifest_scan.manifest_id as shownBy")
      .select(countColumns)
      .where("manifest_scan.manifest_id", "in", some);
    const listed = db
      .selectFrom("manifest_child")
      .innerJoin("manifest_scan", "manifest_scan.manifest_id", "manifest_child.child_id")
      .leftJoin("finding_count", "finding_count.manifest_id", "manifest_child.child_id")
      .select("manifest_child.manifest_id as shownBy")
      .select(countColumns)
      .where("manifest_child.manifest_id", "in", some);
    found.push(...(await own.unionAll(listed).execute()));
  }
  return found;
}
