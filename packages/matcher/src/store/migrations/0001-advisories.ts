import type { Migration } from "@plimsoll/store";
import { advisoryColumns, create, stagingTables } from "./staging.ts";

/** The first schema: operations, advisories and enrichments with intervals, staging tables, shared texts. */
export const advisoriesMigration: Migration = {
  name: "0001-advisories",
  async up(db, kind) {
    for (const statement of [...tables, ...indexes]) await create(db, kind, statement);
    await create(db, kind, kind === "sqlite" ? `${currentRules} without rowid` : currentRules);
    if (kind === "postgres")
      for (const table of stagingTables) await create(db, kind, `create unlogged table ${table}`);
  },
};

const interval = "updater TEXT not null, valid_from bigint not null, valid_to bigint";

const tables = [
  "create table updater (name TEXT not null primary key, checked_at bigint not null)",
  `create table update_operation (seq bigint not null primary key, ref TEXT not null unique, updater TEXT not null,
     fingerprint TEXT not null, date bigint not null, kind TEXT not null)`,
  `create table advisory (${advisoryColumns}, ${interval}, primary key (advisory_id, updater, valid_from))`,
  `create table enrichment (tag TEXT not null, text_id TEXT not null, ${interval},
     primary key (tag, updater, text_id, valid_from))`,
  `create table updater_ecosystem (ecosystem TEXT not null, ${interval}, primary key (ecosystem, updater, valid_from))`,
  "create table shared_text (id TEXT not null primary key, text TEXT not null)",
];

const indexes = [
  "create index update_operation_updater on update_operation (updater, seq)",
  ...["advisory", "enrichment", "updater_ecosystem"].flatMap((table) => [
    `create index ${table}_opened on ${table} (valid_from, updater)`,
    `create index ${table}_closed on ${table} (valid_to, updater) where valid_to is not null`,
  ]),
  "create index advisory_package on advisory (ecosystem, package_name, advisory_id)",
  ...["advisory", "enrichment"].map((table) => `create index ${table}_text on ${table} (text_id)`),
];

/** The only table that the most frequent look-up reads. */
const currentRules = `create table current_rules (ecosystem TEXT not null, package_name TEXT not null, rules TEXT not null,
  primary key (ecosystem, package_name))`;
