import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { allDistributions } from "../../distributions/all.ts";
import { allEcosystems } from "../../ecosystems/all.ts";
import { sampleDistribution, samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { languageRecord } from "../../match/fixtures/verdicts.ts";
import { matchRecords } from "../../match/match-records.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { allUpdaters } from "../all.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { collect, itemsOf } from "../shared/fixtures/items-of.ts";
import { osvKeyFamilies } from "./ecosystems.ts";
import { defaultOsvEcosystems, osvUpdater } from "./updater.ts";

const updater = osvUpdater({ ecosystems: ["PyPI", "Rocky Linux"] });

/** A record that affects package `a` of each ecosystem. */
function record(id: string, ...ecosystems: readonly string[]): string {
  const ranges = [{ type: "ECOSYSTEM", events: [{ introduced: "0" }] }];
  return JSON.stringify({
    id,
    affected: ecosystems.map((ecosystem) => ({ package: { ecosystem, name: "a" }, ranges })),
  });
}

async function idsOf(feeds: FeedReader): Promise<string[]> {
  const items = await itemsOf(updater, feeds);
  return items.map((item) => (item.kind === "item" ? item.item.id : `${item.at}: problem`));
}

const zip = makeZip({
  "X-1.json": record("X-1", "PyPI", "npm"),
  "X-2.json": record("X-2", "PyPI"),
  "notes.yaml": "title: x",
});

describe("osvUpdater", () => {
  it.each([
    ["an archive", feedReaderOf({ "": zip }), ["osv/X-1/PyPI/a", "osv/X-2/PyPI/a"]],
    ["a record", feedReaderOf({ "": record("X-1", "PyPI") }), ["osv/X-1/PyPI/a"]],
    [
      "a list of records",
      feedReaderOf({ "": `[${record("X-1", "PyPI")},7]` }),
      ["osv/X-1/PyPI/a", "memory[1]: problem"],
    ],
    [
      "a folder of all of these",
      feedReaderOf({ "a.json": record("X-3", "PyPI"), "PyPI/all.zip": zip, "b.yaml": "id: X-4" }, { layout: "folder" }),
      ["osv/X-1/PyPI/a", "osv/X-2/PyPI/a", "osv/X-3/PyPI/a"],
    ],
    [
      "documents of a folder however they are named",
      feedReaderOf(
        {
          "A.JSON": record("X-3", "PyPI"),
          "b.jsonl": `${record("X-4", "PyPI")}\n\n{\n`,
          c: record("X-5", "PyPI"),
          LICENSE: "MIT",
          "D.ZIP": zip,
        },
        { layout: "folder" },
      ),
      [
        "osv/X-3/PyPI/a",
        "osv/X-1/PyPI/a",
        "osv/X-2/PyPI/a",
        "osv/X-4/PyPI/a",
        "memory/b.jsonl: line 3: problem",
        "osv/X-5/PyPI/a",
      ],
    ],
  ])("reads %s", async (_, feeds, ids) => {
    expect(await idsOf(feeds)).toEqual(ids);
  });

  it("reads the wanted archives of a bucket, of each what is its own", async () => {
    const both = makeZip({ "X-1.json": record("X-1", "PyPI", "Rocky Linux:9") });
    const listing = "<?xml version='1.0'?><ListBucketResult/>";
    const feeds = feedReaderOf({ "": listing, "PyPI/all.zip": both, "Rocky Linux/all.zip": both, "npm/all.zip": both });

    expect(await idsOf(feeds)).toEqual(["osv/X-1/PyPI/a", "osv/X-1/rocky:9/a"]);
  });

  it("reads archives whose folders have other names than ecosystems as any archive", async () => {
    const archives = { "python/all.zip": record("X-1", "PyPI"), "Elsewhere/all.zip": record("X-2", "PyPI") };
    const zipped = Object.entries(archives).map(([name, each]) => [name, makeZip({ "X.json": each })] as const);

    const feeds = feedReaderOf(Object.fromEntries(zipped), { layout: "folder" });

    expect(await idsOf(feeds)).toEqual(["osv/X-1/PyPI/a"]);
  });

  it("takes a record once that an archive holds twice", async () => {
    const twice = makeZip({ "8/X-1.json": record("X-1", "PyPI"), "9/X-1.json": record("X-1", "PyPI") });

    expect(await idsOf(feedReaderOf({ "": twice }))).toEqual(["osv/X-1/PyPI/a"]);
  });

  it("reads the records after a malformed one", async () => {
    const bad = { "1.json": "{", "2.json": '{"id":7}', "3.json": record("X-3", "PyPI") };

    expect(await idsOf(feedReaderOf({ "": makeZip(bad) }))).toEqual([
      "memory: 1.json: problem",
      "memory: 2.json: problem",
      "osv/X-3/PyPI/a",
    ]);
  });

  it("reads the records beside a link out of the folder, and counts the link", async () => {
    const feeds = feedReaderOf({ "PyPI/X-2.json": record("X-2", "PyPI") }, { layout: "folder" });
    const open: typeof feeds.open = async (...given) => {
      const feed = await feeds.open(...given);
      return feed?.kind === "folder" ? { ...feed, names: [...feed.names, "PyPI/X-9.json"] } : feed;
    };

    expect(await idsOf({ ...feeds, open })).toEqual(["osv/X-2/PyPI/a", "memory/PyPI/X-9.json: problem"]);
  });

  it("reads the records beside a malformed one in a folder", async () => {
    const folder = { "PyPI/X-1.json": "{", "PyPI/X-2.json": record("X-2", "PyPI") };

    expect(await idsOf(feedReaderOf(folder, { layout: "folder" }))).toEqual([
      "memory/PyPI/X-1.json: problem",
      "osv/X-2/PyPI/a",
    ]);
  });

  it.each([
    ["an archive that is cut in half", feedReaderOf({ "": zip.subarray(0, zip.length / 2) }), "memory"],
    ["a record that is cut in half", feedReaderOf({ "": record("X-1", "PyPI").slice(0, 30) }), "memory"],
    [
      "a folder of other documents",
      feedReaderOf({ "a.json": '{"x":1}', "README.md": "hi" }, { layout: "folder" }),
      "osv",
    ],
    ["an empty folder", feedReaderOf({}, { layout: "folder" }), "osv"],
    ["a broken document in a folder", feedReaderOf({ "a.json": "null" }, { layout: "folder" }), "memory/a.json"],
  ])("refuses %s, by its name", async (_, feeds, name) => {
    await expect(idsOf(feeds)).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining(name),
    });
  });

  it("says when there is nothing", async () => {
    await expect(idsOf(feedReaderOf({}))).rejects.toMatchObject({ code: "not_found" });
  });

  it("is unchanged as long as every archive is", async () => {
    const first = await updater.update(feedReaderOf({ "PyPI/all.zip": zip }));
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;

    expect(await updater.update(feedReaderOf({ "PyPI/all.zip": zip }), fingerprint)).toEqual({ kind: "unchanged" });
    const more = feedReaderOf({ "PyPI/all.zip": zip, "Rocky Linux/all.zip": zip });
    expect(await updater.update(more, fingerprint)).toMatchObject({ kind: "snapshot" });
  });
});

describe("defaultOsvEcosystems", () => {
  it("is sorted", () => {
    expect(defaultOsvEcosystems).toEqual([...defaultOsvEcosystems].sort());
  });

  it("leaves out distributions that have a feed of their own, but those whose own feeds say only what is fixed", () => {
    const distributions = new Set(allDistributions.map(({ did }) => did));
    const others = allUpdaters.filter(({ name }) => name !== "osv");
    const own = new Set(others.flatMap(({ scope }) => Object.keys(scope?.partBytes ?? {})));

    const both = defaultOsvEcosystems
      .flatMap(osvKeyFamilies)
      .filter((name) => distributions.has(name) && own.has(name));
    expect(both).toEqual(["chainguard", "wolfi"]);
  });
});

describe("a file or folder of records that is given as osv", () => {
  const debian = sampleRecord("debian 12", samplePackage("a 1-1", { from: "a 1-1" }));
  const rpm = (release: string) => sampleRecord(release, samplePackage("a 1-1", { from: "a 1-1", arch: "x86_64" }));

  const openeuler = sampleDistribution("openeuler 24.03", { version: "24.03 (LTS)" });

  it.each<[string, IndexRecord]>([
    ["Debian:12", debian],
    ["Ubuntu:22.04:LTS", { ...debian, distribution: sampleDistribution("ubuntu 22.04") }],
    ["Alpine:v3.19", sampleRecord("alpine 3.19.1", samplePackage("a 1-r1", { from: "a 1-r1" }))],
    ["Rocky Linux:9", rpm("rocky 9.3")],
    ["AlmaLinux:9", rpm("almalinux 9.3")],
    ["Red Hat:enterprise_linux:9::baseos", rpm("rhel 9.3")],
    ["SUSE:Linux Enterprise Server 15 SP5", rpm("sles 15.5")],
    ["openSUSE:Leap 15.5", rpm("opensuse-leap 15.5")],
    ["Azure Linux:3", rpm("azurelinux 3.0")],
    ["openEuler:24.03-LTS", { ...rpm("openeuler 24.03"), distribution: openeuler }],
    ["Mageia:9", rpm("mageia 9")],
    ["Bitnami", languageRecord("bitnami", "a 1-1")],
    ["conda", languageRecord("conda", "a 1-1")],
    ["PyPI", languageRecord("pypi", "a 1")],
  ])("is read and matched: %s", async (ecosystem, found) => {
    const document = JSON.stringify({
      id: "X-1",
      affected: [
        {
          package: { ecosystem, name: "a" },
          ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "2" }] }],
        },
      ],
    });
    const items = await itemsOf(osvUpdater(), feedReaderOf({ "": makeZip({ "X-1.json": document }) }));
    const advisories = items.flatMap((item) => (item.kind === "item" ? item.item : []));
    const matchers = allEcosystems.flatMap((each) => each.matchers);

    const { affected } = matchRecords(matchers, { records: [found], advisories });

    expect(affected.map(({ advisory }) => advisory.name)).toEqual(["X-1"]);
  });

  it.each(["Android", "OSS-Fuzz", "Echo", "Red Hat:openshift:4.12::el8", "Debian"])(
    "is skipped with its ecosystem named, if no package is matched with it: %s",
    async (ecosystem) => {
      const update = await osvUpdater().update(feedReaderOf({ "": record("X-1", ecosystem) }));
      const items = update.kind === "snapshot" ? await collect(update.items) : [];

      expect(items).toEqual([
        { kind: "record", outcome: "skipped", rule: "other-ecosystem", at: `memory (${ecosystem})` },
      ]);
    },
  );

  it("is read only for the default ecosystems if it is a copy of the bucket", async () => {
    const both = makeZip({ "X-1.json": record("X-1", "PyPI", "Debian:12") });
    const copy = feedReaderOf({ "PyPI/all.zip": both, "Debian/all.zip": both }, { layout: "folder" });

    const items = await itemsOf(osvUpdater(), copy);

    expect(items.flatMap((item) => (item.kind === "item" ? item.item.id : []))).toEqual(["osv/X-1/PyPI/a"]);
  });
});
