import type { Migration, StoreKind } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import { packedRules } from "../current-rules.ts";
import { create, endedStaging } from "./staging.ts";

/**
 * Lets a feed's first snapshot be written directly to its final tables before it is visible; stores rules by updater; and gives related texts
 * adjacent ids.
 */
export const firstLoadsMigration: Migration = {
  name: "0005-first-loads",
  async up(db, kind) {
    await run(db, [
      "alter table update_operation add column place bigint not null default 0",
      "update update_operation set place = seq",
      "create index update_operation_place on update_operation (place)",
      // half as large without the ids, whose order within a key is not used
      "drop index advisory_package",
      "create index advisory_package on advisory (ecosystem, package_name)",
    ]);
    await create(
      db,
      kind,
      "create table first_load (updater TEXT not null primary key, run TEXT not null, seq bigint not null)",
    );
    if (kind === "postgres") await create(db, kind, `create unlogged table ${endedStaging}`);
    await keepRulesApart(db, kind);
    await renameTexts(db, kind);
  },
};

async function keepRulesApart(db: Kysely<unknown>, kind: StoreKind): Promise<void> {
  await run(db, ["drop table current_rules"]);
  await create(db, kind, kind === "sqlite" ? `${currentRules} without rowid` : currentRules);
  await run(db, [
    `insert into current_rules (ecosystem, package_name, updater, rules)
       select ecosystem, package_name, updater, ${packedRules(kind)} from advisory a
       where valid_to is null group by ecosystem, package_name, updater`,
  ]);
}

const currentRules = `create table current_rules (ecosystem TEXT not null, package_name TEXT not null, updater TEXT not null,
  rules TEXT not null, primary key (ecosystem, package_name, updater))`;

/** Renames texts as `textIdOf` does, so that unchanged advisories are not treated as changed. The old ids are longer digests. */
async function renameTexts(db: Kysely<unknown>, kind: StoreKind): Promise<void> {
  const firstTag = kind === "sqlite" ? "t.text ->> '$.tags[0]'" : "(t.text::json -> 'tags' ->> 0)";
  const idOf = (about: string) => `substr(${about}, 1, 20) || ':' || substr(text_id, 1, 16)`;
  const ofRecord = idOf(`coalesce(${firstTag}, '')`);
  const keep = (source: string, id: string) =>
    `insert into shared_text (id, text) select ${id}, t.text from ${source} a join shared_text t on t.id = a.text_id
       where true on conflict do nothing`;
  await run(db, [
    "drop index advisory_text",
    "drop index enrichment_text",
    keep("advisory", idOf("a.name")),
    keep("enrichment", ofRecord),
    `update advisory set text_id = ${idOf("name")}`,
    `update enrichment set text_id = coalesce((select ${ofRecord} from shared_text t where t.id = text_id), text_id)`,
    "delete from shared_text where length(id) = 22 and id not like '%:%'",
    "create index advisory_text on advisory (text_id)",
    "create index enrichment_text on enrichment (text_id)",
  ]);
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
