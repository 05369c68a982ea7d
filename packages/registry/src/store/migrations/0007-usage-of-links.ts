import { schemaMigration } from "./schema-migration.ts";

/** Counts all linked blobs of a namespace and a repository, also those that are in no manifest. */
export const usageOfLinksMigration = schemaMigration("0007-usage-of-links", [
  "delete from namespace_blob",
  `insert into namespace_blob (namespace_id, digest, size_bytes, repositories)
     select r.namespace_id, b.digest, b.size_bytes, count(*) from repository_blob l
       join image_repository r on r.id = l.repository_id join blob b on b.digest = l.digest
       group by r.namespace_id, b.digest, b.size_bytes`,
  "delete from namespace_usage",
  `insert into namespace_usage (namespace_id, size_bytes)
     select namespace_id, sum(size_bytes) from namespace_blob group by namespace_id`,
  `update image_repository set size_bytes = (select coalesce(sum(b.size_bytes), 0) from repository_blob l
     join blob b on b.digest = l.digest where l.repository_id = image_repository.id)`,
]);
