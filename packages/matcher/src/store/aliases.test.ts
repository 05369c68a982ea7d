import { engineTitle, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "../fixtures/test-stores.ts";
import { updateFeeds } from "../update-feeds.ts";
import { findAliases } from "./aliases.ts";
import { matcherMigrations } from "./migrations/all.ts";
import type { MatcherTables } from "./tables.ts";

const long = "VENDOR-WITH-A-LONG-NAME-2024-1";
const items = [
  testAdvisory({ id: "a", name: "CVE-2021-44228", packageName: "log4j2" }),
  testAdvisory({ id: "b", name: "GHSA-jfh8-c2jp-5v3q", aliases: ["CVE-2021-44228"], packageName: "a:b" }),
  testAdvisory({ id: "c", name: "GHSA-jfh8-c2jp-5v3q", aliases: ["CVE-2021-44228"], packageName: "a:c" }),
  testAdvisory({ id: "d", name: "ELSA-1", aliases: ["CVE-2021-44228", "CVE-2021-9999"], packageName: "erratum" }),
  testAdvisory({ id: "e", name: "PYSEC-2024-1", aliases: ["GHSA-jfh8-c2jp-5v3q"], packageName: "steps" }),
  testAdvisory({ id: "f", name: long, aliases: ["CVE-2024-1"], packageName: "long" }),
  testAdvisory({ id: "g", name: `${long}0`, aliases: ["CVE-2024-2"], packageName: "longer" }),
  testAdvisory({ id: "h", name: "ALPINE-CVE-2024-3333", aliases: ["X-3"], packageName: "inside" }),
];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "findAliases on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    const open = async () => {
      await using resources = new AsyncDisposableStack();
      const database = resources.use(await engine.create());
      const store = resources.use(
        await openTestStore<MatcherTables>(database.location, { migrations: [matcherMigrations] }),
      );
      const load = (fingerprint: string, some: typeof items) =>
        updateFeeds(
          { updaters: [fakeUpdater("test", { kind: "snapshot", fingerprint, items: some })], enrichers: [] },
          { store, feeds: noFeeds, clock: { now: () => Number(fingerprint) } },
        );
      await load("1", items);
      const owned = resources.move();
      return { store, load, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    };

    test("finds what advisories of that name call it otherwise, step by step", async () => {
      await using world = await open();
      const rows = [
        ["ghsa-JFH8-c2jp-5v3q", ["ghsa-JFH8-c2jp-5v3q", "CVE-2021-44228"]],
        ["pysec-2024-1", ["pysec-2024-1", "GHSA-jfh8-c2jp-5v3q", "CVE-2021-44228"]],
        ["CVE-2021-44228", ["CVE-2021-44228"]],
        ["ELSA-1", ["ELSA-1"]],
        [long, [long, "CVE-2024-1"]],
        ["ALPINE-CVE-2024-3333", ["ALPINE-CVE-2024-3333", "X-3", "CVE-2024-3333"]],
        ["%", ["%"]],
      ] as const;

      for (const [asked, names] of rows) expect(await findAliases(world.store, asked)).toEqual(names);
    });

    test("looks at what is in force now", async () => {
      await using world = await open();
      await world.load("2", items.slice(3));

      expect(await findAliases(world.store, "GHSA-jfh8-c2jp-5v3q")).toEqual(["GHSA-jfh8-c2jp-5v3q"]);
    });
  },
);
