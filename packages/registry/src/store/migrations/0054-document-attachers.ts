import { schemaMigration } from "./schema-migration.ts";

/** Adds which accounts have attached VEX documents: only those that may change a pull gate let findings pass it. */
export const documentAttachersMigration = schemaMigration("0054-document-attachers", [
  `create table document_attacher (manifest_id TEXT not null references image_manifest (id) on delete cascade,
     tag_id TEXT not null, account_id TEXT not null references account (id) on delete cascade,
     attached_at bigint not null, primary key (manifest_id, tag_id, account_id))`,
  "create index document_attacher_account on document_attacher (account_id)",
]);
