import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A manifest of a repository. */
interface ChildAt {
  readonly repositoryId: string;
  readonly digest: string;
}

/** Some manifests of an index. */
interface SparseIndex {
  readonly repositoryId: string;
  readonly indexId: string;
  readonly digests: readonly string[];
}

/** Stores which manifests of an index the repository does not have. Must run in a transaction that has locked the repository. */
export async function insertSparse(db: RegistryDb, { repositoryId, indexId, digests }: SparseIndex): Promise<void> {
  for (const some of inChunks([...new Set(digests)])) {
    const held = await db
      .selectFrom("image_manifest")
      .select("digest")
      .where("repository_id", "=", repositoryId)
      .where("digest", "in", some)
      .execute();
    const here = new Set(held.map(({ digest }) => digest));
    const rows = some.filter((digest) => !here.has(digest)).map((digest) => ({ manifest_id: indexId, digest }));
    if (rows.length === 0) continue;
    await db
      .insertInto("sparse_child")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The ids of the indexes of a repository that list a manifest, whether the repository has the manifest or not. */
export async function listIndexesOf(db: RegistryDb, { repositoryId, digest }: ChildAt): Promise<readonly string[]> {
  const missing = await listSparse(db, { repositoryId, digest });
  const having = await db
    .selectFrom("image_manifest")
    .innerJoin("manifest_child", "manifest_child.child_id", "image_manifest.id")
    .select("manifest_child.manifest_id")
    .where("image_manifest.repository_id", "=", repositoryId)
    .where("image_manifest.digest", "=", digest)
    .execute();
  return [...missing, ...having.map(({ manifest_id }) => manifest_id)];
}

/** Links a manifest to the indexes that list it and lacked it. Must run in a transaction that has locked the repository. */
export async function adoptChild(db: RegistryDb, { repositoryId, digest }: ChildAt, childId: string): Promise<void> {
  for (const manifest_id of await listSparse(db, { repositoryId, digest })) {
    await db
      .insertInto("manifest_child")
      .values({ manifest_id, child_id: childId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db.deleteFrom("sparse_child").where("manifest_id", "=", manifest_id).where("digest", "=", digest).execute();
  }
}

async function listSparse(db: RegistryDb, { repositoryId, digest }: ChildAt): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("sparse_child")
    .innerJoin("image_manifest", "image_manifest.id", "sparse_child.manifest_id")
    .select("sparse_child.manifest_id")
    .where("sparse_child.digest", "=", digest)
    .where("image_manifest.repository_id", "=", repositoryId)
    .execute();
  return rows.map(({ manifest_id }) => manifest_id);
}
