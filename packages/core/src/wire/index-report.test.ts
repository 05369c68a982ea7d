import { describe, expect, it } from "vitest";
import type { IndexReport } from "../model/index-report.ts";
import type { Json } from "../model/json-value.ts";
import type { PackageDetails } from "../model/package-details.ts";
import { checkIndexReport } from "./fixtures/contract.ts";
import { digestOf, indexReport } from "./fixtures/reports.ts";
import {
  parseIndexReportJson,
  toCoveredIndexReportJson,
  toDescribedIndexReportJsonInSlices,
  toIndexReportJson,
} from "./index-report.ts";

/** As it arrives: through text. */
const sent = (value: object): Json => JSON.parse(JSON.stringify(value));

const unknownCoverage = {
  ...{ at: "index report", code: "coverage_unknown" },
  message: "it does not say which parts of the image were read",
};
const minimal = { manifest_hash: digestOf("a"), state: "IndexFinished", success: true };

describe("toIndexReportJson", () => {
  it("is what the contract says", () => {
    expect(checkIndexReport(sent(toIndexReportJson(indexReport)), "index_report")).toEqual([]);
  });

  it("names everything as the contract does", () => {
    expect(toIndexReportJson(indexReport)).toEqual({
      ...minimal,
      packages: {
        "2": {
          id: "2",
          name: "libssl3",
          version: "3.0.11-1~deb12u1",
          kind: "BINARY",
          source: { id: "10", name: "openssl", version: "3.0.11-1~deb12u1", kind: "SOURCE" },
          arch: "amd64",
        },
        "10": {
          id: "10",
          name: "semver",
          version: "7.5.1",
          kind: "BINARY",
          normalized_version: "semver:0.7.5.1.0.0.0.0.0.0",
          module: "nodejs:18",
          cpe: "cpe:2.3:a:npmjs:semver:7.5.1:*:*:*:*:*:*:*",
        },
      },
      distributions: {
        "1": {
          id: "1",
          did: "debian",
          name: "Debian GNU/Linux",
          version: "12 (bookworm)",
          version_code_name: "bookworm",
          version_id: "12",
          arch: "amd64",
          cpe: "cpe:2.3:o:debian:debian_linux:12:*:*:*:*:*:*:*",
          pretty_name: "Debian GNU/Linux 12 (bookworm)",
        },
      },
      repository: { "1": { id: "1", name: "npm", key: "npm", uri: "https://npm.example/", cpe: "cpe:/a:npmjs:npm" } },
      environments: {
        "2": [{ package_db: "var/lib/dpkg/status", introduced_in: digestOf("b"), distribution_id: "1" }],
        "10": [
          {
            package_db: "app/node_modules/semver/package.json",
            introduced_in: digestOf("c"),
            repository_ids: ["1"],
          },
        ],
      },
    });
  });

  it("says why indexing failed and keeps the maps", () => {
    const empty = { packages: {}, distributions: {}, repositories: {}, environments: {} };
    const failed: IndexReport = {
      ...indexReport,
      ...empty,
      state: "IndexError",
      success: false,
      error: "no such layer",
    };

    expect(toIndexReportJson(failed)).toEqual({
      manifest_hash: digestOf("a"),
      state: "IndexError",
      success: false,
      err: "no such layer",
      packages: {},
      distributions: {},
      repository: {},
      environments: {},
    });
    expect(checkIndexReport(sent(toIndexReportJson(failed)), "index_report")).toEqual([]);
  });

  it("gives equal bytes whatever the order of ids", () => {
    const [first, second] = [
      { id: "b", name: "x" },
      { id: "a", name: "y" },
    ];
    const one = toIndexReportJson({ ...indexReport, repositories: { b: first, a: second } });
    const other = toIndexReportJson({ ...indexReport, repositories: { a: second, b: first } });

    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });
});

describe("parseIndexReportJson", () => {
  it("reads back what toCoveredIndexReportJson writes", () => {
    expect(parseIndexReportJson(sent(toCoveredIndexReportJson(indexReport)))).toEqual(indexReport);
  });

  it("reads back what toDescribedIndexReportJsonInSlices writes", async () => {
    const everything: Required<PackageDetails> = {
      licenses: [
        { text: "Apache-2.0 WITH LLVM-exception" },
        { text: "Expat", expression: "MIT", path: "usr/share/doc/libssl3/copyright" },
      ],
      ...{ supplier: "Debian OpenSSL Team", originator: "The OpenSSL Project", description: "TLS" },
      ...{
        homepage: "https://a.example/",
        sourceAddress: "https://b.example/",
        downloadAddress: "https://c.example/",
      },
      ...{
        authors: ["Ada", "Bob"],
        requires: ["libc6 (>= 2.36)"],
        recommends: ["ca-certificates"],
        provides: ["tls"],
      },
      copyright: "1998 The OpenSSL Project",
      file: { kind: "archive", sha256: "a".repeat(64), sha512: "b".repeat(128) },
    };
    const described: IndexReport = {
      ...indexReport,
      details: { "2": everything, "10": { requires: [] } },
      dependencies: {
        "2": { packageIds: ["10"], unmet: ["libc6 (>= 2.36)"] },
        "10": { packageIds: [], isPartial: true },
      },
      files: {
        "2": [
          { path: "usr/lib/libssl.so.3", digest: `md5:${"c".repeat(32)}`, layer: indexReport.manifestDigest },
          { path: "etc/ssl/openssl.cnf", digest: undefined, layer: indexReport.manifestDigest },
        ],
      },
    };

    const json = await toDescribedIndexReportJsonInSlices(described, () => {});

    expect(parseIndexReportJson(sent(json))).toEqual(described);
    expect(parseIndexReportJson(sent(toCoveredIndexReportJson(described)))).toEqual(indexReport);
  });

  it.each<[string, Json]>([
    ["details.1.licenses[0].text", { details: { "1": { licenses: [{ text: 7 }] } } }],
    ["details.1.supplier", { details: { "1": { supplier: [] } } }],
    ["details.1.authors", { details: { "1": { authors: "Ada" } } }],
    ["details.1", { details: { "1": "MIT" } }],
    ["files.1[0].layer", { files: { "1": [{ path: "a", layer: "x" }] } }],
    ["details.1.file.kind", { details: { "1": { file: { kind: "folder" } } } }],
    ["details.1.file.sha256", { details: { "1": { file: { kind: "program", sha256: "A".repeat(64) } } } }],
    [
      "details.1.file.sha512",
      { details: { "1": { file: { kind: "program", sha256: "a".repeat(64), sha512: "a".repeat(64) } } } },
    ],
    ["dependencies.1.package_ids", { dependencies: { "1": {} } }],
    ["dependencies.1.unmet[0]", { dependencies: { "1": { package_ids: [], unmet: [{}] } } }],
  ])("refuses an odd %s, and says where it is", (place, odd) => {
    expect(() => parseIndexReportJson({ ...minimal, ...(odd as object) })).toThrow(place);
  });

  it("takes a report that says nothing of unassessed packages", () => {
    const { coverage, ...rest } = toCoveredIndexReportJson(indexReport);
    const { unassessed: _, ...older } = coverage;

    expect(parseIndexReportJson(sent({ ...rest, coverage: older })).coverage.unassessed).toEqual([]);
  });

  it("refuses a kind of packages that it does not know", () => {
    const { coverage, ...rest } = toCoveredIndexReportJson(indexReport);
    const unassessed = [{ kind: "cobol", count: 1, evidence: [] }];

    const parse = () => parseIndexReportJson(sent({ ...rest, coverage: { ...coverage, unassessed } }));

    expect(parse).toThrow(/coverage\.unassessed\[0\]\.kind: expected one of java, npm, .*, found "cobol"/);
  });

  it("says that it is unknown what was read where the report does not", () => {
    const { coverage } = parseIndexReportJson(sent(toIndexReportJson(indexReport)));

    expect(coverage).toEqual({
      status: "partial",
      layers: [],
      databases: [
        { path: "app/node_modules/semver/package.json", layer: digestOf("c"), packages: 1 },
        { path: "var/lib/dpkg/status", layer: digestOf("b"), packages: 1 },
      ],
      problems: [unknownCoverage],
      unassessed: [],
      thirdPartyPackages: 0,
    });
  });

  it("says how many packages are of no distribution and no repository where another indexer does not say what it read", () => {
    const named = { name: "x", version: "1" };
    const json = {
      ...minimal,
      packages: { a: named, b: named, c: named, d: named, e: named, ["__proto__"]: named },
      distributions: { d: { id: "d", did: "debian" }, n: { id: "n", name: "Some Linux" } },
      repository: { p: { id: "p", key: "pypi" }, n: { id: "n", name: "" } },
      environments: {
        ...{ a: [{ distribution_id: "d" }], b: [{ distribution_id: "n", repository_ids: ["p"] }] },
        ...{ c: [{ distribution_id: "n" }], d: [{ repository_ids: ["n"] }] },
      },
    };

    const { problems } = parseIndexReportJson(JSON.parse(JSON.stringify(json))).coverage;

    const message = "of 4 packages it names neither the distribution nor the repository: they were not judged";
    expect(problems).toEqual([unknownCoverage, { at: "index report", code: "unplaced_packages", message }]);
  });

  it.each([
    [{ state: "done", success: true }, "IndexFinished"],
    [{ state: "", success: true }, "IndexFinished"],
    [{ state: "", success: false }, "CheckManifest"],
    [{ state: "broken", success: false, err: "no such layer" }, "IndexError"],
    [{ state: "IndexError", success: false }, "IndexError"],
  ])("reads the state of another indexer: %j is %s", (said, state) => {
    expect(parseIndexReportJson({ ...minimal, ...said }).state).toBe(state);
  });

  it("accepts a report with nothing that the contract does not require", () => {
    const packages = { "1": { name: "x", version: "1" } };
    const report = parseIndexReportJson({ ...minimal, packages, environments: { "1": [{ repository_ids: [""] }] } });

    expect(report.environments).toEqual({ "1": [{ packageDb: "", repositoryIds: [] }] });
    expect(toIndexReportJson(report).environments).toEqual({ "1": [{}] });
  });

  it("counts packages of third-party repositories", () => {
    const json = {
      ...minimal,
      packages: { "1": { name: "docker-ce", version: "1" } },
      repository: { r: { id: "r", key: "third-party" } },
      environments: { "1": [{ introduced_in: digestOf("b"), repository_ids: ["r"] }] },
    };

    expect(parseIndexReportJson(json).coverage.thirdPartyPackages).toBe(1);
  });

  it("accepts what other indexers write", () => {
    const source = { id: "33", name: "", version: "", normalized_version: "", cpe: "" };
    const report = parseIndexReportJson({
      ...minimal,
      err: "",
      extra: { member: 1 },
      packages: { "5": { id: "9", name: "apt", version: "1.8", kind: "binary", source, arch: "", cpe: "" } },
      distributions: null,
      environments: {
        "5": [{ package_db: "", introduced_in: digestOf("b"), distribution_id: "", repository_ids: null }],
      },
    });

    expect(report.packages).toEqual({ "5": { id: "5", name: "apt", version: "1.8", kind: "BINARY" } });
    expect(report.environments).toEqual({
      "5": [{ packageDb: "", introducedIn: digestOf("b"), repositoryIds: [] }],
    });
    expect(report).not.toHaveProperty("error");
  });

  it.each([
    { given: { version: "3.18" }, versionId: "3.18" },
    { given: { version: "12 (bookworm)" }, versionId: "12" },
    { given: { version: "22.04.3 LTS (Jammy Jellyfish)" }, versionId: "22.04.3" },
    { given: { version: "8.4 (Ootpa)", version_id: "" }, versionId: "8.4" },
    { given: { version: "edge" }, versionId: "edge" },
    { given: { version: "15-SP4" }, versionId: "15.4" },
    { given: { version: "12 (bookworm)", version_id: "13" }, versionId: "13" },
    { given: { version: "bullseye/sid" }, versionId: undefined },
    { given: {}, versionId: undefined },
  ])("takes $versionId for the release of a distribution with $given", ({ given, versionId }) => {
    const report = parseIndexReportJson({ ...minimal, distributions: { "1": { id: "1", did: "linux", ...given } } });

    expect(report.distributions["1"]?.versionId).toBe(versionId);
  });

  it.each([
    ["Binary", "BINARY"],
    ["SOURCE", "SOURCE"],
    ["source", "SOURCE"],
    [null, "BINARY"],
  ])("takes the kind %j for %s", (kind, expected) => {
    const report = parseIndexReportJson({ ...minimal, packages: { "1": { name: "x", version: "1", kind } } });

    expect(report.packages["1"]?.kind).toBe(expected);
  });

  it("numbers a source that has no id and stops at its own source", () => {
    const deep = { name: "a", version: "1", source: { name: "b", version: "2", source: { name: "c", version: "3" } } };

    expect(parseIndexReportJson({ ...minimal, packages: { "7": deep } }).packages["7"]?.source).toEqual({
      id: "7.source",
      name: "b",
      version: "2",
      kind: "SOURCE",
    });
  });

  it("keeps an id of __proto__ an id", () => {
    const json = JSON.parse(`{"__proto__": {"name": "x", "version": "1"}}`);
    const { packages } = parseIndexReportJson({ ...minimal, packages: json });

    expect(Object.keys(packages)).toEqual(["__proto__"]);
    expect(JSON.stringify(toIndexReportJson({ ...indexReport, packages, environments: {} }).packages)).toBe(
      '{"__proto__":{"id":"__proto__","name":"x","version":"1","kind":"BINARY"}}',
    );
  });

  it.each<[string, Json, string]>([
    ["an array", [], "expected an object, found an array"],
    ["no digest", { ...minimal, manifest_hash: null }, "manifest_hash: expected a string, found null"],
    ["a bad digest", { ...minimal, manifest_hash: "sha256:x" }, "manifest_hash: expected sha256:"],
    ["no state", { manifest_hash: digestOf("a"), success: true }, "state: expected a string, found nothing"],
    ["no success", { ...minimal, success: "yes" }, 'success: expected true or false, found "yes"'],
    [
      "a package without name",
      { ...minimal, packages: { "1": { version: "1" } } },
      "packages.1.name: expected a string",
    ],
    [
      "an empty name",
      { ...minimal, packages: { "1": { name: "", version: "1" } } },
      "packages.1.name: expected a name",
    ],
    [
      "a package without version",
      { ...minimal, packages: { "1": { name: "x" } } },
      "packages.1.version: expected a str",
    ],
    [
      "another kind",
      { ...minimal, packages: { "1": { name: "x", version: "1", kind: "odd" } } },
      'packages.1.kind: expected BINARY or SOURCE, found "odd"',
    ],
    ["a list of packages", { ...minimal, packages: [] }, "packages: expected an object, found an array"],
    ["an environment of no package", { ...minimal, environments: { "1": [] } }, 'environments: package "1" is not in'],
    [
      "a distribution that is missing",
      {
        ...minimal,
        packages: { "1": { name: "x", version: "1" } },
        environments: { "1": [{ introduced_in: digestOf("b"), distribution_id: "constructor" }] },
      },
      'environments.1: distribution "constructor" is not in distributions',
    ],
    [
      "a repository that is missing",
      {
        ...minimal,
        packages: { "1": { name: "x", version: "1" } },
        environments: { "1": [{ introduced_in: digestOf("b"), repository_ids: ["4"] }] },
      },
      'environments.1: repository "4" is not in repository',
    ],
    [
      "a bad layer",
      {
        ...minimal,
        packages: { "1": { name: "x", version: "1" } },
        environments: { "1": [{ package_db: "x", introduced_in: "x" }] },
      },
      "environments.1[0].introduced_in: expected sha256:",
    ],
    ["an odd coverage", { ...minimal, coverage: { status: "fine" } }, "coverage.status: expected complete or partial"],
  ])("refuses %s", (_, json, message) => {
    expect(() => parseIndexReportJson(json)).toThrow(`index report: ${message}`);
  });

  it("throws malformed_report", () => {
    expect(() => parseIndexReportJson("x")).toThrow(expect.objectContaining({ code: "malformed_report" }));
  });
});
