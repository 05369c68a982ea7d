/** An enricher from outside: its feed is brought in and its facts are in reports, by the library, the command and the service. */
import { join } from "node:path";
import { allEcosystems, createEngine, ScanError } from "@plimsoll/core";
import type { Enricher } from "@plimsoll/core/plugins";
import { fromArchive, index, match, openScanner } from "@plimsoll/scanner";
import { testAdvisory } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage, debianTracker, ociArchive } from "./support/sample-image.ts";
import { startTestService } from "./support/scanner-service.ts";
import { tempFolder } from "./support/temp-folder.ts";

/** How likely it is that a vulnerability is exploited, from a file of lines `CVE,SCORE`. */
const likelihood: Enricher = {
  name: "likelihood",
  type: "example/likelihood",
  updater: {
    name: "likelihood-feed",
    location: "https://likelihood.example/scores.csv",
    async update(feeds, previous) {
      const feed = await feeds.open(undefined, previous);
      if (feed.kind === "unchanged") return feed;
      if (feed.kind !== "document") throw new ScanError("malformed_feed", "expected one document");
      const text = new TextDecoder().decode(await feed.readAt(0, feed.sizeBytes));
      return { kind: "snapshot", fingerprint: feed.validator, items: records(text) };
    },
  },
  tags: ({ name, aliases }) => [name, ...aliases],
  enrich: (_, found) => found.map(({ record }) => record),
};

async function* records(text: string) {
  for (const line of text.trim().split("\n")) {
    const [name = "", score = ""] = line.split(",");
    yield { kind: "item", item: { tags: [name], record: { score: Number(score) } } } as const;
  }
}

const engine = createEngine({ ecosystems: allEcosystems, enrichers: [likelihood] });

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const image = await debianImage(["libssl3 3.0.11-1 openssl"]);
const archive = folder.write("image.tar", await ociArchive(image));
const locations = {
  debian: folder.write("tracker.json", debianTracker({ openssl: { "CVE-2024-0001": { urgency: "high" } } })),
  "likelihood-feed": folder.write("scores.csv", "CVE-2024-0001,0.97\nCVE-2024-0002,0.01\n"),
};

/** The facts of a report, without the ids that they are under. */
const factsOf = (report: { readonly enrichments: Readonly<Record<string, readonly unknown[]>> }) =>
  report.enrichments[likelihood.type]?.flatMap((byId) => Object.values(byId as object));

describe("an enricher from outside", () => {
  it("adds its facts to the library's reports, from the feed that updateFeeds brought in", async () => {
    await using scanner = await openScanner({ db: ":memory:", engine });

    const updates = await scanner.updateFeeds({ only: Object.keys(locations), locations });
    const report = await scanner.scan(fromArchive(archive));

    expect(updates.map(({ updater, kind }) => [updater, kind])).toEqual([
      ["debian", "updated"],
      ["likelihood-feed", "updated"],
    ]);
    expect(factsOf(report.toJSON())).toEqual([[{ score: 0.97 }]]);
  });

  it("adds facts in memory where no database is", async () => {
    const { report } = await index(fromArchive(archive));
    const advisories = [testAdvisory({ id: "a", packageName: "openssl", ranges: [{}] })];
    const enrichments = { findEnrichments: async () => [{ tags: ["CVE-2024-0001"], record: { score: 0.5 } }] };

    const matched = await match(report, advisories, { engine, enrichments });

    expect(matched.enrichments[likelihood.type]).toEqual([{ 1: [{ score: 0.5 }] }]);
  });

  it("adds them to the command's, whose db update and db status know the feed", async () => {
    const db = join(folder.path, "command.db");
    const feeds = Object.entries(locations).flatMap(([name, path]) => ["--feed", `${name}=${path}`]);

    const updated = await runPlimsoll(["db", "update", "--db", db, ...feeds], { engine });
    const status = await runPlimsoll(["db", "status", "--db", db], { engine });
    const scanned = await runPlimsoll(["scan", `oci-archive:${archive}`, "--db", db, "-o", "json"], { engine });

    expect(updated.stderr).toBe("");
    expect(updated.stdout).toContain("likelihood-feed: 2 facts, 2 new, 0 gone");
    expect(status.stdout).toMatch(/likelihood-feed +2 /);
    expect(JSON.stringify(JSON.parse(scanned.stdout))).toContain('"score":0.97');
  });

  it("adds them to the service's, which keeps the feed up to date", async () => {
    const settings = { updatePeriodSeconds: 3600, feeds: locations, updaters: Object.keys(locations) };
    await using service = await startTestService(join(folder.path, "service.db"), settings, engine);
    const indexed = await exchange(`${service.url}/indexer/api/v1/index_report`, {
      method: "POST",
      body: service.manifestOf(image),
    });

    const report = async () =>
      (await exchange(`${service.url}/matcher/api/v1/vulnerability_report/${image.digest}`)).text;
    await expect.poll(report).toMatch(/"score":0.97/);

    expect(indexed.status).toBe(201);
  });
});
