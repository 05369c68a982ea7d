import { schemaMigration } from "./schema-migration.ts";

/** Adds the build triggers, which are webhooks of forges, and their received deliveries. */
export const buildTriggersMigration = schemaMigration("0038-build-triggers", [
  `create table build_trigger (id TEXT not null primary key,
     repository_id TEXT not null references image_repository (id) on delete cascade, title TEXT not null,
     secret_sealed TEXT not null, git_url TEXT not null, refs TEXT not null, request TEXT not null,
     is_enabled integer not null, created_at bigint not null)`,
  "create index build_trigger_repository on build_trigger (repository_id, created_at, id)",
  `create table build_trigger_delivery (trigger_id TEXT not null references build_trigger (id) on delete cascade,
     delivery_key TEXT not null, at bigint not null, primary key (trigger_id, delivery_key))`,
  "create index build_trigger_delivery_at on build_trigger_delivery (trigger_id, at)",
  "alter table build add column trigger_id TEXT",
]);
