import { schemaMigration } from "./schema-migration.ts";

/** Adds the columns of builds that running them needs: arguments, a secret for the push of each attempt, and the built image. */
export const buildRunsMigration = schemaMigration("0018-build-runs", [
  "alter table build add column arguments text not null default '{}'",
  "alter table build add column token_hash text",
  "alter table build add column token_expires_at bigint",
  "alter table build add column manifest_digest text",
  "create index build_token on build (token_hash) where token_hash is not null",
  "create index build_phase on build (phase, repository_id)",
]);
