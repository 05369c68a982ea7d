import type { Migration } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";

/** The first schema: operations, advisories and enrichments with their intervals, staging, shared texts. */
export const advisoriesMigration: Migration = {
  name: "0001-advisories",
  async up(db, kind) {
    // Bytewise order on both engines: ranges of ids and page orders are the same everywhere.
    const text = kind === "sqlite" ? "text" : 'text collate "C"';
    const statements = [...tables, ...indexes, kind === "sqlite" ? coveringIndex : plainIndex];
    for (const statement of statements) await execute(db, statement.replaceAll("TEXT", text));
  },
};

async function execute(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

const interval = "updater TEXT not null, valid_from bigint not null, valid_to bigint";

const advisoryColumns = `
  advisory_id TEXT not null, ecosystem TEXT not null, package_name TEXT not null, name TEXT not null,
  is_source integer not null, status integer not null, introduced TEXT, fixed TEXT, last_affected TEXT, extra TEXT,
  text_id TEXT not null`;

const tables = [
  "create table updater (name TEXT not null primary key, checked_at bigint not null)",
  `create table update_operation (seq bigint not null primary key, ref TEXT not null unique, updater TEXT not null,
     fingerprint TEXT not null, date bigint not null, kind TEXT not null)`,
  `create table advisory (${advisoryColumns}, ${interval}, primary key (advisory_id, updater, valid_from))`,
  `create table advisory_staging (run TEXT not null, updater TEXT not null, ${advisoryColumns},
     primary key (run, advisory_id))`,
  `create table enrichment (tag TEXT not null, text_id TEXT not null, ${interval},
     primary key (tag, updater, text_id, valid_from))`,
  `create table enrichment_staging (run TEXT not null, updater TEXT not null, tag TEXT not null, text_id TEXT not null,
     primary key (run, tag, text_id))`,
  `create table updater_ecosystem (ecosystem TEXT not null, ${interval}, primary key (ecosystem, updater, valid_from))`,
  "create table shared_text (id TEXT not null primary key, text TEXT not null)",
];

const indexes = [
  "create index update_operation_updater on update_operation (updater, seq)",
  ...["advisory", "enrichment", "updater_ecosystem"].flatMap((table) => [
    `create index ${table}_opened on ${table} (valid_from, updater)`,
    `create index ${table}_closed on ${table} (valid_to, updater) where valid_to is not null`,
  ]),
  ...["advisory", "advisory_staging", "enrichment", "enrichment_staging"].map(
    (table) => `create index ${table}_text on ${table} (text_id)`,
  ),
];

/** The hot look-up reads this index and never the table. */
const coveringIndex = `create index advisory_package on advisory (ecosystem, package_name, advisory_id, valid_to, name,
  is_source, status, introduced, fixed, last_affected, extra)`;

/** PostgreSQL's index rows end at 2,700 bytes, so `extra` has no room in one. */
const plainIndex = "create index advisory_package on advisory (ecosystem, package_name)";
