import { countLogHours, countLogRows } from "@plimsoll/registry/logs/queries/usage-log";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { fillRegistry, largeId } from "../../fixtures/fill-registry.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const never = new AbortController().signal;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "countLogHours on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "counts each entry once, so that a month takes few look-ups and gives what counting all of it gives",
      async () => {
        let statements = 0;
        await using registry = await openTestRegistry({ engine, onStatement: () => void statements++ });
        const { store, time } = registry;
        const sizes = { repositories: 20, tags: 10, logs: 3_000, users: 10, teams: 4, robots: 4 };
        await fillRegistry(store.db, sizes, time.now);
        const from = time.now - 29 * dayMs - 90 * 60_000;
        const spans = [
          { startAt: from, endAt: time.now },
          { startAt: from, endAt: time.now, namespaceId: largeId },
          { startAt: from, endAt: time.now, namespaceId: "u3", performerName: "user3" },
          { startAt: from - (from % dayMs), endAt: time.now - (time.now % dayMs) },
        ];
        const ask = async () => Promise.all(spans.map((span) => countLogRows(store.db, span)));

        const uncounted = await ask();
        const early = () => countLogHours(store, time.now - 40 * hourMs, never);
        await Promise.all([early(), early()]);
        const half = await ask();
        await Promise.all([countLogHours(store, time.now, never), countLogHours(store, time.now, never)]);
        const whole = await ask();
        statements = 0;
        await countLogRows(store.db, { startAt: time.now - (time.now % dayMs) - 29 * dayMs, endAt: time.now });

        const { rows } = await sql<{ rows: number }>`select count(*) as rows from usage_log
          where at >= ${from} and at < ${time.now}`.execute(store.db);
        expect(uncounted[0]?.reduce((sum, { count }) => sum + count, 0)).toBe(Number(rows[0]?.rows));
        expect(half).toEqual(uncounted);
        expect(whole).toEqual(uncounted);
        expect(statements).toBeLessThan(20);
      },
    );
  },
);
