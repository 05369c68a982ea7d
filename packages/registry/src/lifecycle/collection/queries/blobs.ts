import { sql } from "kysely";
import type { ReadFrom } from "../../../lists/read-from.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** A page of blobs, ordered by digest. `links` is 0 if no repository has the blob, otherwise 1. */
export async function listBlobsWithLinks(db: RegistryDb, { after, limit }: ReadFrom<string>) {
  const { rows } = await sql<{ digest: string; size_bytes: number; links: number }>`
      select digest, size_bytes,
        (select count(*) from (select 1 from repository_blob where repository_blob.digest = blob.digest limit 1) as one) as links
      from blob where digest > ${after} order by digest limit ${limit}`.execute(db);
  return rows;
}

/** A blob, and how many repositories have it. */
export function countLinksOf(db: RegistryDb, digest: string) {
  return db
    .selectFrom("blob")
    .select(["digest", "size_bytes"])
    .select(({ selectFrom }) =>
      selectFrom("repository_blob")
        .select(({ fn }) => fn.countAll<number>().as("links"))
        .whereRef("repository_blob.digest", "=", "blob.digest")
        .as("links"),
    )
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/** Deletes a blob that no repository has. @returns false if one has it */
export async function removeUnlinkedBlob(db: RegistryDb, digest: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("blob")
    .where("digest", "=", digest)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("repository_blob").select("digest").where("repository_blob.digest", "=", digest))),
    )
    .returning("digest")
    .executeTakeFirst();
  return removed !== undefined;
}
