import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { findEndsOfLife } from "../../match/ends-of-life.ts";
import { sampleDistribution, samplePackage } from "../../match/fixtures/samples.ts";
import { distributionPackageKey, languageKey } from "../../model/package.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { eolEnricher } from "./enricher.ts";

const product = (name: string, releases: object, more: object = {}) => ({
  name,
  releases: Object.entries(releases).map(([release, days]) => ({ name: release, ...days })),
  ...more,
});

const catalog = [
  product("alpine-linux", { "3.22": { eolFrom: "2027-05-01" } }),
  product("debian", { 12: { eolFrom: "2026-06-10", eoesFrom: "2028-06-30" } }, { label: "Debian" }),
  product("ubuntu", { "22.04": { eolFrom: "2027-04-01", eoesFrom: "2032-04-09" }, "25.10": { eolFrom: null } }),
  product("centos-stream", { 9: { eolFrom: "2027-05-31" } }),
  product("centos", { 8: { eolFrom: "2021-12-31" } }),
  product("go", { "1.21": { eolFrom: "2024-08-13" }, "1.2": { eolFrom: "2014-12-10" } }, { label: "Go" }),
  product(
    "django",
    { "4.2": { eolFrom: "2026-04-30" }, 4: { eolFrom: "2020-01-01" } },
    {
      label: "Django",
      identifiers: [
        { type: "purl", id: "pkg:pypi/django" },
        { type: "repology", id: "python:django" },
      ],
    },
  ),
  product(
    "python",
    { "2.7": { eolFrom: "2020-01-01" } },
    {
      label: "Python",
      identifiers: [
        { type: "cpe", id: "cpe:2.3:a:python:python" },
        { type: "cpe", id: "python" },
      ],
    },
  ),
];

const read = (document: string) => itemsOf(eolEnricher.updater, feedReaderOf({ "": document }));

async function recordsOf(): Promise<readonly EnrichmentRecord[]> {
  const items = await read(JSON.stringify({ result: catalog }));
  return items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
}

const source = {
  async findEnrichments(_: string, tags: readonly string[]) {
    const records = await recordsOf();
    return records.filter((record) => record.tags.some((tag) => tags.includes(tag)));
  },
};

describe("eolEnricher", () => {
  it("keeps a product under its names, package URLs and CPE names", async () => {
    const records = await recordsOf();

    expect(records.map(({ tags }) => tags.join(" "))).toEqual([
      "product:alpine-linux",
      "product:debian",
      "product:ubuntu",
      "product:centos-stream",
      "product:centos",
      "product:go",
      "product:django pkg:pypi/django",
      "product:python cpe:python:python",
    ]);
  });

  it("reads all documents of a folder: whole catalogs and single products, of which the last counts", async () => {
    const documents = {
      "1.json": JSON.stringify({ result: [product("python", { 3: { eolFrom: "2020-01-01" } }), product("go", {})] }),
      "2.json": JSON.stringify({ result: product("python", { 3: { eolFrom: "2030-01-01" } }) }),
      "notes.txt": "x",
    };
    const items = await itemsOf(eolEnricher.updater, feedReaderOf(documents, { layout: "folder" }));

    const records = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
    expect(records.map(({ tags, record }) => [tags[0], record])).toMatchObject([
      ["product:python", { ends: { 3: "2030-01-01" } }],
      ["product:go", {}],
    ]);
  });

  it.each([
    ["alpine 3.22.1", {}, "2027-05-01"],
    ["alpine 3.21.0", {}, "2026-11-01"], // from the engine's own table
    ["debian 12", {}, "2028-06-30"],
    ["ubuntu 22.04", {}, "2027-04-01"],
    ["ubuntu 25.10", {}, "2026-07-01"],
    ["centos 9", { name: "CentOS Stream" }, "2027-05-31"],
    ["centos 8", { name: "CentOS Linux" }, "2021-12-31"],
    ["slackware 15", {}, undefined],
  ])("%s %j: %s", async (release, more, day) => {
    const distribution = sampleDistribution(release, more);
    const listed = { distributions: { 1: distribution }, repositories: {}, records: [] };

    const { ends } = await findEndsOfLife([eolEnricher], listed, { source });

    expect(ends.map((end) => end.day)).toEqual(day === undefined ? [] : [day]);
  });

  const language = (name: string) => [{ id: "1", name, key: languageKey }];
  const owned = { id: "2", name: "python3-django", key: distributionPackageKey };

  it.each<[text: string, record: Partial<IndexRecord>, cpe: string | undefined, said: string | undefined]>([
    ["django 4.2.11", { repositories: language("pypi") }, undefined, "Django 4.2 2026-04-30"],
    ["django 4.1", { repositories: language("pypi") }, undefined, "Django 4 2020-01-01"],
    ["django 5.0", { repositories: language("pypi") }, undefined, undefined],
    ["django 4.2.11", { repositories: [...language("pypi"), owned] }, undefined, undefined],
    ["django 4.2.11", { repositories: language("npm") }, undefined, undefined],
    ["django 4.2.11", { repositories: [] }, undefined, undefined],
    ["stdlib 1.21.5", { repositories: language("go") }, undefined, "Go 1.21 2024-08-13"],
    ["stdlib go1.21rc1", { repositories: language("go") }, undefined, "Go 1.21 2024-08-13"],
    ["python 2.7.18", { repositories: [] }, "cpe:2.3:a:python:python:2.7.18:*:*:*:*:*:*:*", "Python 2.7 2020-01-01"],
    ["python (devel)", { repositories: [] }, "cpe:2.3:a:python:python:-:*:*:*:*:*:*:*", undefined],
    ["python 2.7.18", { repositories: [] }, "python", undefined],
  ])("%s of %j, %s: %s", async (text, record, cpe, said) => {
    const found = { ...samplePackage(text), ...(cpe !== undefined && { cpe }) };
    const records = [{ packageDb: "app", repositories: [], ...record, package: found }];

    const { ends } = await findEndsOfLife([eolEnricher], { distributions: {}, repositories: {}, records }, { source });

    const texts = ends.map((end) => end.kind === "package" && `${end.product} ${end.release} ${end.day}`);
    expect(texts).toEqual(said === undefined ? [] : [said]);
  });

  it("uses the engine's own table if there is no source of facts", async () => {
    const listed = { distributions: { 1: sampleDistribution("debian 12") }, repositories: {}, records: [] };

    expect((await findEndsOfLife([eolEnricher], listed)).ends).toMatchObject([{ day: "2028-06-30" }]);
  });

  it("leaves out malformed products and keeps the others", async () => {
    const poisoned = [{ ...catalog[0], name: 7 }, product("x", { 1: { eolFrom: "soon" } }), { name: "y" }, 7];

    expect(await read(JSON.stringify({ result: [...poisoned, catalog[1]] }))).toMatchObject([
      { kind: "problem", message: expect.stringContaining("expected a string, found 7") },
      { kind: "problem", message: expect.stringContaining('expected a day like 2026-01-31, found "soon"') },
      { kind: "problem", message: expect.stringContaining("releases") },
      { kind: "problem", message: expect.stringContaining("expected an object, found 7") },
      { kind: "item", item: { tags: ["product:debian"] } },
    ]);
  });

  it.each([
    ["a page", "<!doctype html><html></html>"],
    ["a truncated catalog", JSON.stringify({ result: catalog }).slice(0, -20)],
    ["another document", "[]"],
    ["nothing", ""],
  ])("refuses %s", async (_, document) => {
    await expect(read(document)).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
