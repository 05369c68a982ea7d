import { schemaMigration } from "./schema-migration.ts";

/** Adds the issuers and subjects of external tokens with which robots sign in. */
export const robotFederationsMigration = schemaMigration("0032-robot-federations", [
  `create table robot_federation (robot_id TEXT not null references account (id) on delete cascade,
     issuer TEXT not null, subject TEXT not null, created_at bigint not null,
     primary key (robot_id, issuer, subject))`,
]);
