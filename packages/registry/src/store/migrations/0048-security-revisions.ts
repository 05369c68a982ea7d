import { schemaMigration } from "./schema-migration.ts";

/** Adds a revision of an image's findings, which ends cached decisions about the image when it rises. */
export const securityRevisionsMigration = schemaMigration("0048-security-revisions", [
  "alter table image_manifest add column security_revision bigint not null default 0",
]);
