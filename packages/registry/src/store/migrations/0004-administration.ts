import { schemaMigration } from "./schema-migration.ts";

/** Creates the tables of the registry as a whole. The usage log has no foreign keys, since it names deleted accounts and repositories. */
export const administrationMigration = schemaMigration("0004-administration", [
  `create table usage_log (id SERIAL, kind TEXT not null, namespace_id TEXT, repository_id TEXT, performer_id TEXT,
     performer_name TEXT, ip TEXT, metadata TEXT not null, at bigint not null)`,
  "create index usage_log_namespace on usage_log (namespace_id, at, id, kind)",
  "create index usage_log_repository on usage_log (repository_id, at, id, kind)",
  "create index usage_log_performer on usage_log (performer_name, at, id, kind, namespace_id)",
  "create index usage_log_at on usage_log (at, id)",
  `create table service_key (kid TEXT not null primary key, service TEXT not null, name TEXT not null, jwk TEXT not null,
     metadata TEXT not null, created_at bigint not null, expires_at bigint, rotation_duration_s bigint, approved_at bigint,
     approver_id TEXT references account (id) on delete set null, approval_type TEXT, approval_notes TEXT)`,
  "alter table user_notification add column service_key_kid TEXT references service_key (kid) on delete cascade",
  "create index user_notification_service_key on user_notification (service_key_kid) where service_key_kid is not null",
  `create table global_message (id TEXT not null primary key, content TEXT not null, severity TEXT not null,
     media_type TEXT not null, created_at bigint not null)`,
  `create table registry_size (id integer not null primary key, size_bytes bigint not null, last_ran bigint,
     queued integer not null, running integer not null)`,
  "create table registry_fact (name TEXT not null primary key, value TEXT not null)",
]);
