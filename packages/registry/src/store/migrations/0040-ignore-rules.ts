import { schemaMigration } from "./schema-migration.ts";

/** Adds the rules by which users suppress findings in the images of a repository, or of all repositories of an organization. */
export const ignoreRulesMigration = schemaMigration("0040-ignore-rules", [
  `create table ignore_rule (id TEXT not null primary key,
     namespace_id TEXT references account (id) on delete cascade,
     repository_id TEXT references image_repository (id) on delete cascade,
     vulnerability TEXT not null, package TEXT, image TEXT, reason TEXT not null, author TEXT not null,
     created_at bigint not null, expires_at bigint not null, used_at bigint,
     check ((namespace_id is null) <> (repository_id is null)))`,
  "create index ignore_rule_namespace on ignore_rule (namespace_id, created_at)",
  "create index ignore_rule_repository on ignore_rule (repository_id, created_at)",
]);
