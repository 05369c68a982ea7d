import { schemaMigration } from "./schema-migration.ts";

/** Adds the organizations that mirror another registry, and the state of each repository in its catalog. */
export const organizationMirrorsMigration = schemaMigration("0036-organization-mirrors", [
  `create table organization_mirror (organization_id TEXT not null primary key references account (id) on delete cascade,
     is_enabled integer not null, external_registry TEXT not null, external_username TEXT, external_password_sealed TEXT,
     external_config TEXT not null, repository_patterns TEXT not null, tag_patterns TEXT not null, visibility TEXT not null,
     robot_id TEXT not null references account (id) on delete cascade,
     sync_interval_s bigint not null, sync_timeout_s bigint not null,
     discover_at bigint, state TEXT not null, message TEXT not null, discovered_at bigint)`,
  "create index organization_mirror_robot on organization_mirror (robot_id)",
  "create index organization_mirror_due on organization_mirror (discover_at) where discover_at is not null",
  `create table organization_mirror_repository (
     organization_id TEXT not null references organization_mirror (organization_id) on delete cascade,
     external_name TEXT not null, repository_id TEXT references image_repository (id) on delete set null,
     state TEXT not null, reason TEXT not null, changed_at bigint not null, primary key (organization_id, external_name))`,
  "create index organization_mirror_repository_of on organization_mirror_repository (repository_id)",
]);
