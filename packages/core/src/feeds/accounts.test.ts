import { buildTar } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { allEnrichers } from "../enrichers/all.ts";
import type { Updater } from "../plugins/updater.ts";
import { allUpdaters } from "./all.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { accountOf, itemsOf } from "./shared/fixtures/items-of.ts";

const osv = (id: string, ecosystem: string, more: object = {}) =>
  JSON.stringify({
    id,
    affected: [{ package: { ecosystem, name: "a" }, ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }] }] }],
    ...more,
  });
/** A record that is read, one that was withdrawn, one about another ecosystem, a malformed one and a readme. */
const osvFiles = (ecosystem: string, folder = "") => ({
  [`${folder}X-1.json`]: osv("X-1", ecosystem),
  [`${folder}X-2.json`]: osv("X-2", ecosystem, { withdrawn: "2024-01-01T00:00:00Z" }),
  [`${folder}X-3.json`]: osv("X-3", "Elsewhere"),
  [`${folder}X-4.json`]: "{",
  [`${folder}README.md`]: "# hello",
});
const osvAccount = { read: 1, withdrawn: 1, "other-ecosystem": 1, failed: 1, "not-an-advisory": 1 };

const definition = (
  id: string,
  more = "",
) => `<definition class="patch" id="oval:x:def:${id}"><metadata><title>T-${id}</title>
  <reference ref_id="CVE-2024-000${id}"/><description>d</description>${more}</metadata><criteria/></definition>`;
const oval = (...definitions: readonly string[]) =>
  `<oval_definitions><definitions>${definitions.join("")}</definitions><tests/><objects/><states/></oval_definitions>`;
const ovalFiles = {
  "a.xml": oval(
    definition("1"),
    '<definition class="inventory" id="oval:x:def:2"/>',
    '<definition id="oval:x:def:3"/>',
  ),
  "notes.txt": "x",
};
const ovalAccount = { "nothing-stated": 1, "not-an-advisory": 2, failed: 1 };

const update = (
  id: string,
  type: string,
  release: string,
) => `<update type="${type}"><id>${id}</id><release>${release}</release>
  <pkglist><collection><package name="a" version="1" release="1" arch="x86_64"/></collection></pkglist></update>`;
const updateFiles = (id: string, release: string, otherId: string) => ({
  "any-name.xml": `<updates>${update(id, "security", release)}${update(id, "bugfix", release)}
    ${update(otherId, "security", "Elsewhere 1")}<update type="security"/></updates>`,
  "repomd.xml": "<repomd/>",
});
const updateAccount = { read: 1, "no-security-fix": 1, "other-ecosystem": 1, failed: 1, "not-an-advisory": 1 };

const secdb = JSON.stringify({
  distroversion: "v3.20",
  reponame: "main",
  packages: [{ pkg: { name: "a", secfixes: { "1-r0": ["CVE-2024-0001"] } } }, { pkg: { name: "b", secfixes: {} } }, 7],
});
const secdbFiles = (text: string) => ({ "main.json": text, "index.html": "x" });
const secdbAccount = { read: 1, "nothing-stated": 1, failed: 1, "not-an-advisory": 1 };
const ofWolfi = (name: string) =>
  secdb.replace('"distroversion":"v3.20","reponame":"main"', `"urlprefix":"https://packages.example/${name}"`);

const csaf = (id: string, status: string) =>
  JSON.stringify({ document: { category: "csaf_vex", tracking: { id, status } }, vulnerabilities: [] });
const nvd = JSON.stringify({
  vulnerabilities: [
    { cve: { id: "CVE-2024-0001", vulnStatus: "Rejected" } },
    { cve: { id: "CVE-2024-0002", vulnStatus: "Analyzed" } },
    { cve: {} },
  ],
});

type Row = readonly [files: Readonly<Record<string, string | Uint8Array>>, account: Readonly<Record<string, number>>];

/** A small folder for each updater, and what becomes of its records. */
const rows: Readonly<Record<string, Row>> = {
  alma: [
    {
      "errata.json": JSON.stringify([
        {
          updateinfo_id: "ALSA-1",
          type: "security",
          pkglist: { packages: [{ name: "a", version: "1", release: "1.el9", arch: "x86_64" }] },
        },
        {
          updateinfo_id: "ALBA-1",
          type: "bugfix",
          pkglist: { packages: [{ name: "a", version: "1", release: "1.el9", arch: "x86_64" }] },
        },
        7,
      ]),
      "a.txt": "",
    },
    { read: 1, "no-security-fix": 1, failed: 1, "not-an-advisory": 1 },
  ],
  alpine: [secdbFiles(secdb), secdbAccount],
  amazon: [updateFiles("ALAS2-2024-1", "", "OTHER-1"), updateAccount],
  arch: [
    {
      "all.json": JSON.stringify([
        { name: "AVG-1", packages: ["a"], status: "Vulnerable" },
        { name: "AVG-2", packages: [], status: "Unknown" },
        { name: "AVG-3", packages: ["a"], status: "Odd" },
      ]),
      "a.txt": "",
    },
    { read: 1, "nothing-stated": 1, failed: 1, "not-an-advisory": 1 },
  ],
  azurelinux: [ovalFiles, ovalAccount],
  bitnami: [osvFiles("Bitnami", "data/"), osvAccount],
  bottlerocket: [updateFiles("BRSA-th6e2wrokkoq", "", "OTHER-1"), updateAccount],
  chainguard: [secdbFiles(ofWolfi("chainguard")), secdbAccount],
  cve: [
    { "CVE-2024-0001.json": "{", "delta.json": "{}" },
    { failed: 1, "not-an-advisory": 1 },
  ],
  debian: [
    {
      "debian.json": JSON.stringify({
        a: { "CVE-2024-0001": { releases: { bookworm: { status: "open" } } }, "CVE-2024-0002": { releases: {} } },
        b: 7,
      }),
      "DSA.list": "",
    },
    { read: 1, "nothing-stated": 1, failed: 1, "not-an-advisory": 1 },
  ],
  eol: [
    {
      "bad.json": "",
      "old.json": JSON.stringify({ result: { name: "a", releases: [] } }),
      "products.json": JSON.stringify({ result: [{ name: "a", releases: [] }, 7] }),
      "a.txt": "",
    },
    { read: 1, failed: 2, replaced: 1, "not-an-advisory": 1 },
  ],
  epss: [
    { "epss.csv": "cve,epss,percentile\nCVE-2024-0001,0.1,0.2\nCVE-2024-0002,x,0.2\n", "a.txt": "" },
    { read: 1, failed: 1, "not-an-advisory": 1 },
  ],
  fedora: [updateFiles("FEDORA-2024-1", "Fedora 41", "FEDORA-2024-2"), updateAccount],
  ghsa: [
    { ...osvFiles("npm", "advisories/github-reviewed/"), "advisories/unreviewed/X-5.json": osv("X-5", "npm") },
    { ...osvAccount, "not-reviewed": 1 },
  ],
  govulndb: [
    { ...osvFiles("Go", "ID/"), "index/vulns.json": "[]" },
    { ...osvAccount, "not-an-advisory": 2 },
  ],
  kev: [
    {
      "kev.json": JSON.stringify({ catalogVersion: "1", vulnerabilities: [{ cveID: "CVE-2024-0001" }, {}] }),
      "a.txt": "",
    },
    { read: 1, failed: 1, "not-an-advisory": 1 },
  ],
  nodejs: [
    {
      "vuln/npm/1.json": JSON.stringify({ id: 1, module_name: "a", title: "t" }),
      "vuln/npm/2.json": JSON.stringify({ title: "t" }),
      "vuln/core/1.json": "{}",
      "vuln/npm/index.json": "{}",
    },
    { read: 1, failed: 1, "other-ecosystem": 1, "not-an-advisory": 1 },
  ],
  nvd: [
    { "nvd.json": nvd, "a.meta": "" },
    { "nothing-stated": 2, failed: 1, "not-an-advisory": 1 },
  ],
  "nvd-cpe": [
    { "nvd.json": nvd, "a.meta": "" },
    { withdrawn: 1, "other-ecosystem": 1, failed: 1, "not-an-advisory": 1 },
  ],
  openeuler: [osvFiles("openEuler:24.03-LTS"), osvAccount],
  oracle: [ovalFiles, ovalAccount],
  osv: [
    { ...osvFiles("npm"), "again.json": osv("X-1", "npm"), "any name.json": "{" },
    { ...osvAccount, repeated: 1, failed: 2 },
  ],
  photon: [ovalFiles, ovalAccount],
  "photon-cve": [
    {
      "cve_data_photon5.0.json": JSON.stringify([{ cve_id: "CVE-2024-0001", pkg: "a", res_ver: "1-1.ph5" }, 7]),
      "photon_versions.json": '{"branches":["5.0"]}',
    },
    { read: 1, failed: 1, "not-an-advisory": 1 },
  ],
  php: [
    {
      // https://github.com/FriendsOfPHP/security-advisories has both forms of names
      "a/b/GHSA-8559-gwj3-q37r.yaml": "reference: composer://a/b\nbranches: {m: {versions: ['<2']}}",
      "a/b/2014-07-03-1.yaml": "reference: composer://a/b\nbranches: {m: {versions: ['<1']}}",
      "a/b/CVE-2024-0001.yaml": "reference: composer://a/b\nbranches: {}",
      "a/b/CVE-2024-0002.yaml": "reference: npm://a\nbranches: {}",
      "services.yaml": "settings: 1",
      "README.md": "",
    },
    { read: 2, "nothing-stated": 1, failed: 1, "not-an-advisory": 2 },
  ],
  pypa: [osvFiles("PyPI", "vulns/"), osvAccount],
  redhat: [
    {
      "any-name.json": csaf("CVE-2024-0001", "final"),
      "cve-2024-0002.json": csaf("CVE-2024-0002", "deleted"),
      "cve-2024-0003.json": '{"document":{}}',
      "repository-to-cpe.json": '{"data":{}}',
      "changes.csv": "",
      "old.tar": buildTar(
        { name: "2024/any-name.json", content: "{" },
        { name: "2024/other.json", content: csaf("x", "final") },
      ),
    },
    { "nothing-stated": 2, withdrawn: 1, failed: 1, "not-an-advisory": 2, replaced: 1 },
  ],
  "redhat-repositories": [
    { "repository-to-cpe.json": '{"data":{"a":{"cpes":[]},"b":7}}', "a.json": "{}" },
    { "nothing-stated": 0, read: 1, failed: 1, "not-an-advisory": 1 },
  ],
  rocky: [updateFiles("RLSA-2024:1", "Rocky Linux 9", "RLSA-2024:2"), updateAccount],
  rubysec: [
    {
      "gems/a/any-name.yml": "gem: a\ntitle: t\npatched_versions: ['>= 2']",
      "rubies/ruby/CVE-2024-0001.yml": "engine: ruby\ntitle: t",
      "gems/a/CVE-2024-0002.yml": "title: t",
      ".travis.yml": "language: ruby",
      "README.md": "",
    },
    { read: 1, "other-ecosystem": 1, failed: 1, "not-an-advisory": 2 },
  ],
  rustsec: [osvFiles("crates.io", "crates/"), osvAccount],
  suse: [ovalFiles, ovalAccount],
  ubuntu: [osvFiles("Ubuntu:24.04:LTS"), osvAccount],
  wolfi: [secdbFiles(ofWolfi("wolfi")), secdbAccount],
};

const updaters: readonly Updater<unknown>[] = [
  ...allUpdaters,
  ...new Set<Updater<unknown>>(allEnrichers.map(({ updater }) => updater)),
];

describe("records of distributions and of Bitnami that are given as osv", () => {
  it.each(["Bitnami", "Rocky Linux:9", "AlmaLinux:9", "SUSE:Linux Enterprise Server 15 SP5", "Ubuntu:22.04:LTS"])(
    "are accounted for: %s",
    async (ecosystem) => {
      const osv = allUpdaters.filter(({ name }) => name === "osv");

      const found = await Promise.all(
        osv.map((updater) => accountOf(updater, feedReaderOf(osvFiles(ecosystem), { layout: "folder" }))),
      );

      expect(found).toEqual([osvAccount]);
    },
  );
});

describe("documents of another distribution", () => {
  const secdbs = { alpine: secdb, wolfi: ofWolfi("wolfi"), chainguard: ofWolfi("chainguard") };

  it.each(
    Object.keys(secdbs).flatMap((feed) =>
      Object.entries(secdbs)
        .filter(([of]) => of !== feed)
        .map(([of, text]) => [of, feed, text] as const),
    ),
  )("are skipped: a security database of %s, given as %s", async (_, feed, text) => {
    const [updater] = allUpdaters.filter(({ name }) => name === feed);
    const found = updater && (await accountOf(updater, feedReaderOf(secdbFiles(text), { layout: "folder" })));

    expect(found).toEqual({ "other-ecosystem": 3, "not-an-advisory": 1 });
  });

  it.each(allUpdaters.filter(({ name }) => name !== "osv").map((updater) => [updater.name, updater] as const))(
    "give no advisory of it: %s reads those of every feed",
    async (_, updater) => {
      const own = Object.keys(updater.scope?.partBytes ?? {});
      const foreign = new Set<string>();
      for (const [files] of Object.values(rows)) {
        const found = await itemsOf(updater, feedReaderOf(files, { layout: "folder" })).catch(() => []);
        const ecosystems = found.flatMap((each) => (each.kind === "item" ? [each.item.ecosystem.split(":", 1)] : []));
        for (const [ecosystem = ""] of ecosystems) if (!own.includes(ecosystem)) foreign.add(ecosystem);
      }

      expect([...foreign]).toEqual([]);
    },
  );
});

describe("every updater", () => {
  it.each(updaters.map((updater) => [updater.name, updater] as const))(
    "%s accounts for every record of a folder",
    async (name, updater) => {
      const [files, account] = rows[name] ?? [{}, {}];

      const found = await accountOf(updater, feedReaderOf(files, { layout: "folder" }));

      expect(found).toEqual(Object.fromEntries(Object.entries(account).filter(([, count]) => count > 0)));
    },
  );
});
