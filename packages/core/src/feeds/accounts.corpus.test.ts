import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { cveUpdater } from "../enrichers/cve/enricher.ts";
import { eolEnricher } from "../enrichers/eol/enricher.ts";
import { epssEnricher } from "../enrichers/epss/enricher.ts";
import { kevEnricher } from "../enrichers/kev/enricher.ts";
import { nvdUpdater } from "../enrichers/nvd/enricher.ts";
import type { Updater } from "../plugins/updater.ts";
import { allUpdaters } from "./all.ts";
import { osvUpdater } from "./osv/updater.ts";
import { decompressed } from "./shared/feed-files.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { accountOf, collect } from "./shared/fixtures/items-of.ts";
import { zipTexts } from "./shared/fixtures/zip-texts.ts";

const corpus = findCorpus();

/** The number of records in a document, or 1 for a document that is one. */
type CountRecords = (text: string, name: string) => number;

const matches =
  (pattern: RegExp): CountRecords =>
  (text) =>
    [...text.matchAll(pattern)].length;
const oneEach: CountRecords = () => 1;
const inArray: CountRecords = (text) => {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.length : 1;
};
const inMember =
  (member: string): CountRecords =>
  (text) =>
    (JSON.parse(text) as Readonly<Record<string, unknown[]>>)[member]?.length ?? 0;

/** Documents that are no advisories count as one; a document of records as many. */
const definitions: CountRecords = (text, name) => (name.includes(".xml") ? matches(/<definition /g)(text, name) : 1);
const updates: CountRecords = (text, name) => (/updateinfo/.test(name) ? matches(/<update /g)(text, name) : 1);
const bugs: CountRecords = (text) =>
  Object.values(JSON.parse(text) as Readonly<Record<string, object>>).reduce(
    (sum, cves) => sum + Object.keys(cves).length,
    0,
  );
const listEntries: CountRecords = (text, name) =>
  name.endsWith("/list") ? matches(/^(?:CVE-|\[\d)/gm)(text, name) : name.endsWith("/Sources") ? 0 : 1;

const updaterOf = (name: string): Updater<unknown> => {
  const found = allUpdaters.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

/** A folder of feeds, or one document, and the number of its records by another reader. */
const rows: readonly (readonly [path: string, updater: Updater<unknown>, count: CountRecords])[] = [
  ["alma-errata/excerpt", updaterOf("alma"), inArray],
  ["alpine-secdb/excerpt", updaterOf("alpine"), inMember("packages")],
  ["amazon-updateinfo/excerpt", updaterOf("amazon"), updates],
  ["arch/excerpt", updaterOf("arch"), inArray],
  ["azurelinux-oval/azl3", updaterOf("azurelinux"), definitions],
  ["bitnami-osv/excerpt", updaterOf("bitnami"), oneEach],
  ["cisa-kev/full", kevEnricher.updater, inMember("vulnerabilities")],
  ["cve5/records", cveUpdater, oneEach],
  ["debian-tracker/excerpt-json/debian.json", updaterOf("debian"), bugs],
  ["debian-tracker/git-form", updaterOf("debian"), listEntries],
  ["eol/excerpt/eoldata.json", eolEnricher.updater, inMember("result")],
  ["epss/excerpt/data.csv", epssEnricher.updater, matches(/^CVE-/gm)],
  ["fedora-bodhi/updates", updaterOf("fedora"), inMember("updates")],
  ["nodejs-security-wg/npm/nodejs-security-wg-npm.zip", updaterOf("nodejs"), oneEach],
  ["nvd-2.0/page", nvdUpdater, inMember("vulnerabilities")],
  ["nvd-2.0/page", updaterOf("nvd-cpe"), inMember("vulnerabilities")],
  ["oracle-oval/excerpt", updaterOf("oracle"), definitions],
  ["osv-excerpts/ghsa", updaterOf("osv"), oneEach],
  ["osv-excerpts/ghsa", updaterOf("ghsa"), oneEach],
  ["osv-full/AlmaLinux/osv-AlmaLinux-all.zip", osvUpdater({ ecosystems: ["AlmaLinux"] }), oneEach],
  ["osv-full/Go/osv-Go-all.zip", updaterOf("govulndb"), oneEach],
  ["osv-full/crates.io/osv-crates.io-all.zip", updaterOf("rustsec"), oneEach],
  ["osv-native-yaml/PyPI-sample/pypa-native-yaml-sample.zip", updaterOf("pypa"), oneEach],
  ["photon/json", updaterOf("photon-cve"), inArray],
  ["photon/oval-large", updaterOf("photon"), definitions],
  ["redhat-csaf-advisories/visible", updaterOf("redhat"), oneEach],
  ["redhat-oval/rhel8-large", updaterOf("redhat"), definitions],
  ["redhat-oval/unpatched-small", updaterOf("redhat"), definitions],
  ["redhat-vex/visible/csaf_vex_2023-10-31.tar.zst", updaterOf("redhat"), oneEach],
  ["rocky-updateinfo/excerpt", updaterOf("rocky"), updates],
  ["ruby-advisory-db/full/ruby-advisory-db.zip", updaterOf("rubysec"), oneEach],
  ["suse-cvrf/excerpt", updaterOf("suse"), matches(/<Vulnerability /g)],
  ["ubuntu/osv", updaterOf("ubuntu"), oneEach],
  ["ubuntu/oval", updaterOf("ubuntu"), definitions],
  ["ubuntu/vex", updaterOf("ubuntu"), oneEach],
];

function filesOf(path: string): ReadonlyMap<string, Uint8Array> {
  const whole = join(`${corpus}/data/feeds`, path);
  if (/\.\w+$/.test(path)) return new Map([["", readFileSync(whole)]]);
  const entries = readdirSync(whole, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.map((name) => [name.slice(whole.length + 1), readFileSync(name)]));
}

/** The documents of a file by another reader than the engine's: the entries of an archive, or the file itself. */
async function textsOf(name: string, bytes: Uint8Array): Promise<readonly (readonly [name: string, text: string])[]> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return [...zipTexts(bytes)].filter(([entry]) => !entry.endsWith("/"));
  if (bytes[0] === 0x28 && bytes[1] === 0xb5) return tarNames(zstdDecompressSync(bytes)).map((entry) => [entry, ""]);
  const plain = concatBytes(await collect(decompressed(inOrder(bytes), name)));
  return [[name, new TextDecoder().decode(plain)]];
}

async function* inOrder(bytes: Uint8Array) {
  yield bytes;
}

function tarNames(tar: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString("latin1", at, at + 100).replace(/\0.*/s, "");
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8) || 0;
    if (name !== "" && /[0\0]/.test(tar.toString("latin1", at + 156, at + 157))) names.push(name);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return names;
}

describe.skipIf(corpus === undefined)("every feed accounts for every record", () => {
  it.each(rows)("%s", async (path, updater, count) => {
    const files = filesOf(path);
    const layout = files.has("") ? {} : ({ layout: "folder" } as const);
    let expected = 0;
    for (const [name, bytes] of files)
      for (const [entry, text] of await textsOf(name || path, bytes)) expected += count(text, entry);

    const account = await accountOf(updater, feedReaderOf(Object.fromEntries(files), layout));

    expect(Object.values(account).reduce((sum, each) => sum + each, 0)).toBe(expected);
    if (updater.name !== "nvd-cpe") expect(account.read ?? 0).toBeGreaterThan(0); // the page has none of its products
  });
});
