import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { withoutRecords } from "../shared/fixtures/items-of.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { osvAdvisories } from "./record.ts";

type Members = { readonly [name: string]: Json };

function read(record: Members, wants: (family: string) => boolean = () => true): readonly Advisory[] {
  const place = documentPlace({ id: "X-1", ...record }, "X-1.json", "malformed_feed");
  return osvAdvisories(place, { updater: "osv", wants });
}

const all = { updater: "osv", wants: () => true };
const ranges = [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "2" }] }];

function affected(ecosystem: string, name: string, more: Members = {}): Json {
  return { package: { ecosystem, name }, ranges, ...more };
}

function purled(purl: string): Json {
  return { package: { ecosystem: "AlmaLinux:9", name: "kernel", purl: `pkg:rpm/almalinux/${purl}` }, ranges };
}

describe("osvAdvisories", () => {
  it.each<[string, Members, Partial<Advisory>]>([
    ["its references", { references: {} }, { links: [] }],
    ["its aliases", { aliases: 7 }, { aliases: [] }],
    ["its severity", { severity: "high" }, { normalizedSeverity: "Unknown" }],
    ["its summary", { summary: [], details: "A long story" }, { description: "A long story" }],
    ["its date", { published: 7 }, {}],
    ["one package", { affected: [7, affected("PyPI", "a")] }, {}],
    ["the versions", { affected: [affected("PyPI", "a", { versions: {} })] }, { versions: [] }],
    ["one range", { affected: [affected("PyPI", "a", { ranges: [{ type: "SEMVER" }, ...ranges] })] }, {}],
  ])("skips only the malformed part of a record: %s", (_, odd, expected) => {
    const record: Members = { id: "X-1", affected: [affected("PyPI", "a")], ...odd };

    const items = withoutRecords(
      recordItems("X-1.json", (readPart) =>
        osvAdvisories(documentPlace(record, "X-1.json", "malformed_feed"), all, readPart),
      ),
    );

    expect(items).toMatchObject([
      { kind: "problem", at: "X-1.json" },
      { item: { packageName: "a", ranges: [{ fixed: "2" }], ...expected } },
    ]);
  });

  it("keeps PyPI names as PyPI normalizes them", () => {
    const record = { affected: [affected("PyPI", "Zope.Interface"), affected("PyPI", "zope_interface")] };

    expect(read(record).map(({ packageName }) => packageName)).toEqual(["zope-interface"]);
  });

  // https://go.dev/doc/security/vuln/database#schema
  it.each<[string, Members, unknown]>([
    [
      "replace a range without an end, but for versions without a release",
      { ecosystem_specific: { custom_ranges: ranges } },
      [{ below: "0.0.0" }, { fixed: "2" }],
    ],
    [
      "may be in another member",
      { database_specific: { custom_ranges: ranges } },
      [{ below: "0.0.0" }, { fixed: "2" }],
    ],
    [
      "count beside a range with an end",
      { ranges, ecosystem_specific: { custom_ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "3" }] }] } },
      [{ fixed: "2" }, { introduced: "3" }],
    ],
    ["may be of another form", { ecosystem_specific: [] }, [{}]],
  ])("custom ranges %s", (_, more, expected) => {
    const open = [{ type: "SEMVER", events: [{ introduced: "0" }] }];

    expect(read({ affected: [affected("Go", "a", { ranges: open, ...more })] })).toMatchObject([{ ranges: expected }]);
  });

  it.each<[string, readonly Json[], unknown]>([
    [
      "in the package URL",
      [purled("kernel?arch=aarch64"), purled("kernel?arch=x86_64"), purled("kernel?arch=aarch64")],
      [
        { operation: "equals", value: "aarch64" },
        { operation: "equals", value: "x86_64" },
      ],
    ],
    ["that is the source", [purled("kernel?arch=src"), purled("kernel")], [undefined]],
    [
      "by lists of files",
      [
        affected("AlmaLinux:9", "kernel", {
          ecosystem_specific: {
            src: ["k-1.src.rpm"],
            noarch: ["k-1.noarch.rpm"],
            aarch64: ["k-1.aarch64.rpm"],
            x86_64: [],
          },
        }),
      ],
      [{ operation: "pattern match", value: "aarch64|noarch" }],
    ],
    [
      "in no list of files",
      [affected("AlmaLinux:9", "kernel", { ecosystem_specific: { affects: ["a"] } })],
      [undefined],
    ],
  ])("keeps an architecture %s", (_, entries, arches) => {
    const advisories = read({ affected: entries });

    expect(advisories.map(({ arch }) => arch)).toEqual(arches);
    expect(new Set(advisories.map(({ id }) => id)).size).toBe(advisories.length);
  });

  it("makes one advisory for each package of each ecosystem", () => {
    const record = {
      aliases: ["CVE-2024-0001"],
      summary: "A flaw",
      details: "A long story",
      published: "2024-01-02T03:04:05Z",
      references: [{ type: "WEB", url: "https://example.org/1" }, { url: "https://example.org/1" }, { url: "ftp://x" }],
      affected: [affected("PyPI", "a", { versions: ["1.0"] }), affected("Debian:12", "b")],
    };
    const shared = {
      updater: "osv",
      name: "X-1",
      aliases: ["CVE-2024-0001"],
      description: "A flaw",
      issuedAt: Date.UTC(2024, 0, 2, 3, 4, 5),
      links: ["https://example.org/1"],
      status: "affected",
      ranges: [{ fixed: "2" }],
      normalizedSeverity: "Unknown",
    };

    expect(read(record)).toEqual([
      {
        ...shared,
        id: "osv/X-1/PyPI/a",
        ecosystem: "PyPI",
        packageName: "a",
        packageKind: "BINARY",
        versions: ["1.0"],
      },
      {
        ...shared,
        id: "osv/X-1/debian:12/b",
        ecosystem: "debian:12",
        packageName: "b",
        packageKind: "SOURCE",
        versions: [],
      },
    ]);
  });

  it("takes only what is wanted", () => {
    const record = { affected: [affected("PyPI", "a"), affected("npm", "b"), affected("Ubuntu:Pro:16.04:LTS", "c")] };

    expect(read(record, (family) => family !== "npm").map(({ id }) => id)).toEqual(["osv/X-1/PyPI/a"]);
  });

  it.each<[string, Members]>([
    ["that was withdrawn", { withdrawn: "2024-01-01T00:00:00Z", affected: [affected("PyPI", "a")] }],
    ["about nothing", {}],
    ["about commits only", { affected: [{ ranges: [{ type: "GIT", events: [] }] }] }],
    ["without versions", { affected: [{ package: { ecosystem: "PyPI", name: "a" } }] }],
  ])("gives none for a record %s", (_, record) => {
    expect(read(record)).toEqual([]);
  });

  const commits = (...events: Json[]) => ({ ranges: [{ type: "GIT", repo: "https://git.example/a", events }] });
  it.each<[string, Json[], Partial<Advisory>]>([
    [
      "up to a fix",
      [affected("npm", "a", commits({ introduced: "0" }, { fixed: "1b2c" }))],
      { ranges: [{ below: "git:1b2c" }] },
    ],
    ["without an end", [affected("npm", "a", commits({ introduced: "0" }))], { ranges: [{ introduced: "git:0" }] }],
    ["beside versions", [affected("npm", "a", { ...commits({ introduced: "0" }), versions: ["1"] })], { ranges: [] }],
    [
      "beside versions of another entry",
      [affected("npm", "a", commits({ introduced: "0" })), affected("npm", "a")],
      { ranges: [{ fixed: "2" }] },
    ],
  ])("reads commits %s", (_, entries, expected) => {
    expect(read({ affected: entries })).toMatchObject([expected]);
  });

  it("joins what several entries say of one package", () => {
    const other = [{ type: "ECOSYSTEM", events: [{ introduced: "3" }] }];
    const entries = ["baseos", "appstream"].map((part) => affected(`Red Hat:enterprise_linux:9::${part}`, "sudo"));
    const third = affected("Red Hat:enterprise_linux:9::crb", "sudo", { ranges: other, versions: ["2.5"] });

    expect(read({ affected: [...entries, third] })).toMatchObject([
      { id: "osv/X-1/rhel:9/sudo", ranges: [{ fixed: "2" }, { introduced: "3" }], versions: ["2.5"] },
    ]);
  });

  it.each<[string, Members, readonly string[]]>([
    [
      "aliases and upstream",
      { aliases: ["GHSA-1", "X-1"], upstream: ["CVE-2024-0001", "GHSA-1"] },
      ["GHSA-1", "CVE-2024-0001"],
    ],
    ["related CVEs where there is nothing else", { related: ["CVE-2024-0001", "RHBA-1"] }, ["CVE-2024-0001"]],
    ["not related ones besides", { aliases: ["GHSA-1"], related: ["CVE-2024-0002"] }, ["GHSA-1"]],
  ])("takes for other names %s", (_, record, aliases) => {
    expect(read({ ...record, affected: [affected("PyPI", "a")] })).toMatchObject([{ aliases }]);
  });

  it.each<[string, Members, Members, unknown]>([
    ["none", {}, {}, { normalizedSeverity: "Unknown" }],
    [
      "the newest vector",
      {
        severity: [
          { type: "CVSS_V2", score: "AV:N/AC:L/Au:N/C:C/I:C/A:C" },
          { type: "CVSS_V3", score: "CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:H" },
        ],
      },
      {},
      { severity: "CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:H", normalizedSeverity: "Medium" },
    ],
    [
      "the vendor's word before vectors",
      {
        severity: [
          { type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H" },
          { type: "Ubuntu", score: "negligible" },
        ],
      },
      {},
      { severity: "negligible", normalizedSeverity: "Negligible" },
    ],
    [
      "the entry's before the record's",
      { severity: [{ type: "Ubuntu", score: "low" }] },
      { severity: [{ type: "Ubuntu", score: "high" }] },
      { severity: "high", normalizedSeverity: "High" },
    ],
    [
      "the database's word where a vector is malformed",
      { severity: [{ type: "CVSS_V3", score: "CVSS:3.1/nonsense" }], database_specific: { severity: "MODERATE" } },
      {},
      { severity: "MODERATE", normalizedSeverity: "Medium" },
    ],
    [
      "the summary's word",
      { summary: "Important: x security update" },
      {},
      { severity: "Important", normalizedSeverity: "High" },
    ],
    [
      "critical where a package does harm",
      { id: "MAL-2024-1" },
      {},
      { severity: "malicious", normalizedSeverity: "Critical" },
    ],
    [
      "a word that means nothing",
      { database_specific: { severity: "dire" } },
      {},
      { severity: "dire", normalizedSeverity: "Unknown" },
    ],
  ])("takes for severity %s", (_, record, entry, severity) => {
    const [advisory] = read({ ...record, affected: [affected("PyPI", "a", entry)] });

    expect(advisory).toMatchObject(severity as object);
  });

  const modular = [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "1:22-2.module+el9.8.0+1" }] }];
  it.each([
    ["Important: nodejs:22 security update", modular, ["nodejs:22"]],
    ["Moderate: container-tools:rhel8 security, bug fix, and enhancement update", modular, ["container-tools:rhel8"]],
    ["Moderate: virt:rhel and virt-devel:rhel security update", modular, ["virt:rhel", "virt-devel:rhel"]],
    ["389-ds:1.4 and idm:DL1 security update", modular, ["389-ds:1.4", "idm:DL1"]],
    ["Important: nodejs:22 security update", ranges, [undefined]],
    ["Important: nodejs security update", modular, [undefined]],
  ])("makes an advisory of every module of an rpm: %s", (summary, given, modules) => {
    const advisories = read({ summary, affected: [affected("AlmaLinux:9", "nodejs", { ranges: given })] });

    expect(advisories.map(({ module }) => module)).toEqual(modules);
    expect(new Set(advisories.map(({ id }) => id)).size).toBe(modules.length);
  });

  it.each([
    ["ALBA-2024:1", [], 0],
    ["RHEA-2024:1", ["RHBA-2024:2"], 0],
    ["RHBA-2019:1992", ["CVE-2019-0816"], 1],
    ["ALSA-2024:1", [], 1],
  ])("takes errata for bugs only where they name a CVE: %s", (id, upstream, count) => {
    expect(read({ id, upstream, affected: [affected("AlmaLinux:9", "a")] })).toHaveLength(count);
  });

  it("knows no date in a record of the year 1", () => {
    const [advisory] = read({ published: "0001-01-01T00:00:00Z", affected: [affected("Go", "a")] });

    expect(advisory?.issuedAt).toBeUndefined();
  });

  it.each<[string, Members]>([
    ["without an ecosystem", { affected: [{ package: { name: "a" } }] }],
    ["without a name", { affected: [{ package: { ecosystem: "PyPI" }, ranges }] }],
    ["with an id that is no string", { id: 7 }],
  ])("refuses a record %s", (_, record) => {
    expect(() => read(record)).toThrow(expect.objectContaining({ code: "malformed_feed" }));
  });
});
