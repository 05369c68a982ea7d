import { schemaMigration } from "./schema-migration.ts";

/** Images that were collected and that a scanner may still have reports of; and where images are, whatever repository has them. */
export const collectedImagesMigration = schemaMigration("0010-collected-images", [
  "create table collected_image (digest TEXT not null primary key)",
  "create index image_manifest_digest on image_manifest (digest)",
]);
