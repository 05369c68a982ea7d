import { schemaMigration } from "./schema-migration.ts";

/** Counts what is newly known of the security of an image, so that what was decided by it is not kept. */
export const securityRevisionsMigration = schemaMigration("0048-security-revisions", [
  "alter table image_manifest add column security_revision bigint not null default 0",
]);
