import { schemaMigration } from "./schema-migration.ts";

/** Adds the table of collected images of which a scanner may still have reports, and an index of images by digest. */
export const collectedImagesMigration = schemaMigration("0010-collected-images", [
  "create table collected_image (digest TEXT not null primary key)",
  "create index image_manifest_digest on image_manifest (digest)",
]);
