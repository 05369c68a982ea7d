import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../model/advisory.ts";
import type { Updater } from "../plugins/updater.ts";
import { nodejsUpdater } from "./nodejs/updater.ts";
import { bitnamiUpdater, govulndbUpdater, pypaUpdater, rustsecUpdater } from "./osv/databases.ts";
import { rubysecUpdater } from "./rubysec/updater.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "./shared/fixtures/items-of.ts";
import { zipTexts } from "./shared/fixtures/zip-texts.ts";

const corpus = findCorpus();

const bytesOf = (path: string) => readFileSync(`${corpus}/data/feeds/${path}`);

/** The advisories of a feed without any problem. */
async function advisoriesOf(updater: Updater, zip: Uint8Array): Promise<readonly Advisory[]> {
  const items = await itemsOf(updater, feedReaderOf({ "": zip }));
  expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
  return items.flatMap((item) => (item.kind === "item" ? item.item : []));
}

interface Record {
  readonly withdrawn?: string;
  readonly affected: readonly { readonly package: { readonly name: string } }[];
}

/** Packages of records that are not withdrawn, counted in the JSON itself. */
function packagesOf(texts: Iterable<string>): number {
  const records = [...texts].map((text) => JSON.parse(text) as Record);
  const standing = records.filter(({ withdrawn }) => withdrawn === undefined);
  return standing.reduce((sum, { affected }) => sum + new Set(affected.map((each) => each.package.name)).size, 0);
}

const isJson = ([name]: readonly [string, string]) => name.endsWith(".json");

describe.skipIf(corpus === undefined)("databases of languages", () => {
  it.each([
    ["govulndb", govulndbUpdater, "osv-full/Go/osv-Go-all.zip", 5815],
    ["rustsec", rustsecUpdater, "osv-full/crates.io/osv-crates.io-all.zip", 1193],
  ])("%s: an advisory for each package of each record", async (_, updater, path, total) => {
    const zip = bytesOf(path);
    const advisories = await advisoriesOf(updater, zip);

    expect(advisories).toHaveLength(packagesOf([...zipTexts(zip)].filter(isJson).map(([, text]) => text)));
    expect(advisories).toHaveLength(total);
  });

  it("bitnami: an advisory for each record, with a range for each fix", async () => {
    const folder = "bitnami-osv/excerpt";
    const names = readdirSync(`${corpus}/data/feeds/${folder}`, { recursive: true, encoding: "utf8" });
    const files = names
      .filter((name) => name.endsWith(".json"))
      .map((name) => [name, bytesOf(`${folder}/${name}`)] as const);
    const items = await itemsOf(bitnamiUpdater, feedReaderOf(Object.fromEntries(files), { layout: "folder" }));
    const advisories = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
    const texts = files.map(([, bytes]) => bytes.toString("utf8"));

    expect(items).toHaveLength(2);
    expect(advisories.map(({ packageName }) => packageName)).toEqual(
      texts.map((text) => /"purl": "pkg:bitnami\/([^"]+)"/.exec(text)?.[1]),
    );
    expect(advisories.map(({ ranges }) => ranges.map(({ fixed }) => fixed))).toEqual(
      texts.map((text) => [...text.matchAll(/"fixed": "([^"]+)"/g)].map(([, fixed]) => fixed)),
    );
  });

  it("govulndb keeps the import paths that the text names", async () => {
    const zip = bytesOf("osv-full/Go/osv-Go-all.zip");
    const advisories = await advisoriesOf(govulndbUpdater, zip);
    const named = [...zipTexts(zip).values()].filter((text) => !/"withdrawn"\s*:/.test(text));
    const paths = named.flatMap((text) => text.match(/"path"\s*:/g) ?? []);

    expect(advisories.flatMap(({ imports = [] }) => imports)).toHaveLength(paths.length);
  });

  it("pypa reads every record of the sample that is not withdrawn", async () => {
    const zip = bytesOf("osv-native-yaml/PyPI-sample/pypa-native-yaml-sample.zip");
    const advisories = await advisoriesOf(pypaUpdater, zip);
    const standing = [...zipTexts(zip).values()].filter((text) => !/^withdrawn:/m.test(text));
    const listed = standing.flatMap((text) => /^id: *"?(PYSEC-[\d-]+)/m.exec(text)?.[1] ?? []);

    expect([...new Set(advisories.map(({ name }) => name))].sort()).toEqual(listed.sort());
    const versions = standing.flatMap(
      (text) => /\n {2}versions:\n((?: {2}- .*\n?)*)/.exec(text)?.[1]?.match(/ {2}- /g) ?? [],
    );
    expect(new Set(advisories.flatMap(({ name, versions: of }) => of.map((each) => `${name} ${each}`))).size).toBe(
      versions.length,
    );
  });

  it("rubysec reads every advisory about a gem", async () => {
    const zip = bytesOf("ruby-advisory-db/full/ruby-advisory-db.zip");
    const advisories = await advisoriesOf(rubysecUpdater, zip);
    const gems = [...zipTexts(zip)].filter(([name, text]) => name.startsWith("gems/") && /^gem:/m.test(text));
    const unpatched = gems.filter(([, text]) => !/^(?:un)?(?:patched|affected)[a-z_]*versions:/m.test(text));

    expect(advisories).toHaveLength(gems.length);
    expect(gems).toHaveLength(1234);
    expect(new Set(advisories.map(({ id }) => id)).size).toBe(gems.length);
    const everyVersion = advisories.filter(({ ranges }) => JSON.stringify(ranges) === "[{}]");
    expect(everyVersion).toHaveLength(unpatched.length);
  });

  it("nodejs reads every advisory about a module", async () => {
    const zip = bytesOf("nodejs-security-wg/npm/nodejs-security-wg-npm.zip");
    const advisories = await advisoriesOf(nodejsUpdater, zip);
    const texts = [...zipTexts(zip)].filter(([name]) => !name.endsWith("/index.json"));
    const modules = texts.map(([, text]) => /"module_name": "(.*)"/.exec(text)?.[1]);
    const patched = texts.filter(([, text]) => /"patched_versions": ">=? ?v?[1-9]/.test(text));

    expect(advisories.map(({ packageName }) => packageName).sort()).toEqual(modules.sort());
    expect(advisories).toHaveLength(467);
    const withFix = advisories.filter(({ ranges }) => ranges.some(({ fixed }) => fixed !== undefined));
    expect(withFix.length).toBeGreaterThanOrEqual(patched.length);
  });

  it.each([
    [rubysecUpdater, "ruby-advisory-db/full/ruby-advisory-db.zip"],
    [nodejsUpdater, "nodejs-security-wg/npm/nodejs-security-wg-npm.zip"],
    [pypaUpdater, "osv-native-yaml/PyPI-sample/pypa-native-yaml-sample.zip"],
    [govulndbUpdater, "osv-full/Go/osv-Go-all.zip"],
    [rustsecUpdater, "osv-full/crates.io/osv-crates.io-all.zip"],
  ])("$name refuses half of its archive, and a page", async (updater, path) => {
    const whole = bytesOf(path);
    const refused = { code: "malformed_feed" };

    await expect(itemsOf(updater, feedReaderOf({ "": whole.subarray(0, whole.length / 2) }))).rejects.toMatchObject(
      refused,
    );
    await expect(itemsOf(updater, feedReaderOf({ "": "<!doctype html><html></html>" }))).rejects.toMatchObject(refused);
  });
});
