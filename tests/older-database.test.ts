/**
 * Databases and blob stores that an older version has written (`fixtures/older-database`), with rows in every table: this version
 * opens them, keeps every row, and answers what the older one answered.
 */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryTables } from "@plimsoll/registry";
import { openStore, type Store } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allMigrations } from "./support/all-migrations.ts";
import {
  askOlderRegistry,
  type OlderRegistry,
  olderFixtures,
  type Rows,
  restoreOlder,
} from "./support/older-database.ts";
import { tempFolder } from "./support/temp-folder.ts";

/**
 * Columns whose values a newer version changes on purpose: runs of mirrors that waited before anything did them are over, and texts of
 * advisories have other names. Waits after failed sign-ins became counts.
 */
const changedColumns: Readonly<Record<string, readonly string[]>> = {
  advisory: ["text_id"],
  enrichment: ["text_id"],
  failed_sign_in: ["failures", "locked_until"],
  shared_text: ["id"],
  repository_mirror: ["sync_state", "sync_retries", "sync_expires_at"],
};

/** The answer for such a mirror. */
const endedMirror = { sync_status: "CANCEL", sync_retries_remaining: 0 };

function withEndedMirrors(answer: unknown): unknown {
  const { body } = answer as { readonly body?: unknown };
  if (typeof body !== "object" || body === null || !("sync_status" in body)) return answer;
  return { ...(answer as object), body: { ...body, ...endedMirror } };
}

/** A tag as it is shown since tags can be immutable: no older one is. A quota report as since manifests count. */
function withNewMembers(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withNewMembers);
  if (typeof answer !== "object" || answer === null) return answer;
  const members = Object.entries(answer).map(([name, value]) => [name, withNewMembers(value)] as const);
  return {
    ...Object.fromEntries(members),
    ...("reversion" in answer && { immutable: false }),
    ...("backfill_status" in answer && { metadata_bytes: expect.any(Number) }),
  };
}

/** The names of tables that were renamed since. */
const renamedTables: Readonly<Record<string, string>> = {
  repository_notification: "event_notification",
  repository_delivery: "event_delivery",
};

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a database of an older version on $title",
  ({ engine }) => {
    const kind = engine.name === "PostgreSQL" ? "postgres" : "sqlite";
    const resources = new AsyncDisposableStack();
    let older: OlderRegistry;
    let before: Rows;
    let store: Store<RegistryTables>;
    let blobs: string;

    beforeAll(async () => {
      if (engine.skip !== undefined) return;
      const folder = resources.use(tempFolder());
      const database = resources.use(await engine.create());
      older = JSON.parse(await readFile(join(olderFixtures, kind, "answers.json"), "utf8"));
      blobs = join(folder.path, "blobs");
      await cp(join(olderFixtures, kind, "blobs"), blobs, { recursive: true });
      before = await restoreOlder(database);
      store = resources.use(await openStore<RegistryTables>(database.location, { migrations: allMigrations }));
    });
    afterAll(() => resources.disposeAsync());

    it.skipIf(engine.skip !== undefined)("had rows in every table", () => {
      expect(Object.keys(before).length).toBeGreaterThan(70);
      expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    });

    it.skipIf(engine.skip !== undefined)("keeps every row", async () => {
      for (const [table, rows] of Object.entries(before)) {
        const changed = changedColumns[table] ?? [];
        const columns = Object.keys(rows[0] ?? {}).filter((column) => !changed.includes(column));
        const selected = sql.join(columns.map((column) => sql.ref(column)));
        const kept = (
          await sql<Rows[string][number]>`select ${selected} from ${sql.table(renamedTables[table] ?? table)}`.execute(
            store.db,
          )
        ).rows;
        const asTexts = (all: Rows[string]) =>
          all.map((row) => JSON.stringify(columns.map((column) => String(row[column]))));
        expect([table, ...asTexts(kept)]).toEqual(expect.arrayContaining([table, ...asTexts(rows)]));
      }
    });

    it.skipIf(engine.skip !== undefined)("answers what it answered", async () => {
      const answers = await askOlderRegistry(store, blobs, older);

      for (const [path, expected] of Object.entries(older.answers))
        expect([path, answers[path]]).toEqual([path, withNewMembers(withEndedMirrors(expected))]);
    });
  },
);
