import { parseDigest } from "@plimsoll/core/digest";
import type { RegistryDb } from "../../store/tables/all.ts";

/** How many damaged blobs are listed at once: the others are healed by the next run. */
const listLength = 1_000;

/** Damaged blobs of a repository. */
export async function listDamagedBlobs(db: RegistryDb, repositoryId: string) {
  const rows = await db
    .selectFrom("blob")
    .innerJoin("repository_blob", "repository_blob.digest", "blob.digest")
    .select(["blob.digest", "blob.size_bytes"])
    .where("blob.damaged_at", "is not", null)
    .where("repository_blob.repository_id", "=", repositoryId)
    .orderBy("blob.damaged_at")
    .limit(listLength)
    .execute();
  return rows.map(({ digest, size_bytes }) => ({ digest: parseDigest(digest), sizeBytes: size_bytes }));
}
