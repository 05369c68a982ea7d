import { engineTitle, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "../fixtures/test-stores.ts";
import { updateFeeds } from "../update-feeds.ts";
import { matcherMigrations } from "./migrations/all.ts";
import { findNamedAdvisories } from "./named-advisories.ts";
import type { MatcherTables } from "./tables.ts";

const items = [
  testAdvisory({ id: "a", name: "CVE-2021-44228", packageName: "log4j2" }),
  testAdvisory({
    id: "b",
    name: "GHSA-jfh8-c2jp-5v3q",
    aliases: ["CVE-2021-44228"],
    ecosystem: "maven",
    packageName: "a:b",
  }),
  testAdvisory({
    id: "c",
    name: "GHSA-jfh8-c2jp-5v3q",
    aliases: ["CVE-2021-44228"],
    ecosystem: "maven",
    packageName: "a:c",
  }),
  testAdvisory({ id: "d", name: "CVE-2021-442280", packageName: "other" }),
  testAdvisory({ id: "e", name: "ELSA-1", aliases: ["CVE-2021-44228", "CVE-2021-9999"], packageName: "erratum" }),
  testAdvisory({ id: "f", name: "CVE-2021-9999", packageName: "second" }),
  testAdvisory({ id: "g", name: "X-1", aliases: ["Y_2%"], packageName: "odd" }),
];

const log4j = ["erratum", "log4j2", "a:b", "a:c"];
const rows: readonly (readonly [asked: string, names: readonly string[], packages: readonly string[]])[] = [
  ["CVE-2021-44228", ["CVE-2021-44228", "GHSA-jfh8-c2jp-5v3q"], log4j],
  ["cve-2021-44228", ["CVE-2021-44228", "GHSA-jfh8-c2jp-5v3q"], log4j],
  ["ghsa-JFH8-c2jp-5v3q", ["ghsa-JFH8-c2jp-5v3q", "CVE-2021-44228"], log4j],
  ["ELSA-1", ["ELSA-1"], ["erratum"]],
  ["CVE-2021-4422", ["CVE-2021-4422"], []],
  ["CVE-2021-9999", ["CVE-2021-9999"], ["erratum", "second"]],
  ["X-1", ["X-1", "Y_2%"], ["odd"]],
  ["%", ["%"], []],
];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "findNamedAdvisories on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("finds a vulnerability by any of its names", async () => {
      await using database = await engine.create();
      await using store = await openTestStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      const updaters = [fakeUpdater("test", { kind: "snapshot", fingerprint: "1", items })];
      await updateFeeds({ updaters, enrichers: [] }, { store, feeds: noFeeds, clock: { now: () => 1_000 } });

      for (const [asked, names, packages] of rows) {
        const found = await findNamedAdvisories(store, asked);

        expect([asked, found.names]).toEqual([asked, names]);
        expect(found.keys.map(({ name }) => name).toSorted()).toEqual(packages.toSorted());
      }
    });

    it.skipIf(engine.skip !== undefined)("looks at what is in force now", async () => {
      await using database = await engine.create();
      await using store = await openTestStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      const load = (fingerprint: string, some: typeof items) =>
        updateFeeds(
          { updaters: [fakeUpdater("test", { kind: "snapshot", fingerprint, items: some })], enrichers: [] },
          { store, feeds: noFeeds, clock: { now: () => Number(fingerprint) } },
        );
      await load("1", items);
      await load("2", items.slice(3));

      expect((await findNamedAdvisories(store, "CVE-2021-44228")).keys.map(({ name }) => name)).toEqual(["erratum"]);
    });
  },
);
