import { schemaMigration } from "./schema-migration.ts";

/** Adds the identifiers of users in external services. */
export const externalLoginsMigration = schemaMigration("0020-external-logins", [
  `create table external_login (service TEXT not null, subject TEXT not null,
     account_id TEXT not null references account (id) on delete cascade, created_at bigint not null,
     primary key (service, subject))`,
  "create unique index external_login_account on external_login (account_id, service)",
]);
