import { schemaMigration } from "./schema-migration.ts";

/** Adds the pull gates of repositories and of namespaces. */
export const pullGatesMigration = schemaMigration("0028-pull-gates", [
  `create table pull_gate (id TEXT not null primary key,
     namespace_id TEXT references account (id) on delete cascade,
     repository_id TEXT references image_repository (id) on delete cascade,
     gate TEXT not null, check ((namespace_id is null) <> (repository_id is null)))`,
  "create unique index pull_gate_namespace on pull_gate (namespace_id)",
  "create unique index pull_gate_repository on pull_gate (repository_id)",
]);
