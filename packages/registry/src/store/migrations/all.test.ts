import { openStore } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { RegistryTables } from "../tables/all.ts";
import { registryMigrations, renameJobs } from "./all.ts";

/** Ids, kinds and unique keys of jobs. */
const jobs = [
  ["1", "registry.bring-image", "registry.bring-image:7:sha256:1"],
  ["2", "registry.count-again", null],
  ["3", "registry.forget-pulls", "registry.forget-pulls"],
  ["4", "registry.send-mail", null],
] as const;

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "renameJobs on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("renames kinds of jobs and their keys", async () => {
      await using database = await engine.create();
      await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });
      for (const [id, kind, key] of jobs)
        await sql`insert into jobs (id, kind, unique_key, payload, is_dead, due_at, attempts, max_attempts, created_at)
          values (${id}, ${kind}, ${key}, 'null', 0, 1, 0, 12, 1)`.execute(store.db);

      await renameJobs(store.db);

      const { rows } = await sql`select kind, unique_key from jobs order by id`.execute(store.db);
      expect(rows).toEqual([
        { kind: "registry.cache-image", unique_key: "registry.cache-image:7:sha256:1" },
        { kind: "registry.recount-findings", unique_key: null },
        { kind: "registry.delete-pulls", unique_key: "registry.delete-pulls" },
        { kind: "registry.send-mail", unique_key: null },
      ]);
    });
  },
);
