import { schemaMigration } from "./schema-migration.ts";

/** Adds the identity provider's session with which each session began, and the used logout tokens of providers. */
export const providerSessionsMigration = schemaMigration("0046-provider-sessions", [
  "alter table session add column outside_service TEXT",
  "alter table session add column outside_subject TEXT",
  "alter table session add column outside_sid TEXT",
  "alter table session add column outside_token_sealed TEXT",
  "create index session_outside on session (outside_service, outside_subject) where outside_service is not null",
  "create index session_outside_sid on session (outside_service, outside_sid) where outside_sid is not null",
  "create table logout_token (service TEXT not null, jti_hash TEXT not null, expires_at bigint not null, primary key (service, jti_hash))",
  "create index logout_token_end on logout_token (expires_at)",
]);
