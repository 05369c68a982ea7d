import { Buffer } from "node:buffer";
import type { IndexReport } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { noPorts } from "@plimsoll/registry/ports";
import { type BlobStore, BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import type { QuestionWithRows, WantedFindings } from "@plimsoll/registry/ports/large-images";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { describe, expect, it } from "vitest";
import { type Call, emptyBlobs, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { putManifest, putRepository } from "../fixtures/test-repositories.ts";
import { filterFindings, groupByUpgrade, type PagedFinding } from "./finding-page.ts";
import { answerImageQuestion, findingsHoldMs } from "./pull-gate/answer-image-question.ts";

/** The members of a test's finding that differ from the defaults. */
interface Row {
  readonly name?: string;
  readonly source?: string;
  readonly id?: string;
  readonly aliases?: string[];
  readonly severity?: string;
  readonly rank?: number;
  readonly fixedIn?: string;
  readonly isExploited?: boolean;
  readonly upgradeTo?: string;
}

function finding(row: Row): PagedFinding {
  const { name: Name = "openssl", source, upgradeTo: UpgradeTo, id = "CVE-1", aliases: Aliases = [] } = row;
  const {
    rank: Rank = 0,
    fixedIn: FixedBy = "",
    isExploited: KnownExploited = false,
    severity: Severity = "High",
  } = row;
  const NVD = { CVSSv3: { Vectors: "", Score: "" as const } };
  const Metadata = { UpdatedBy: "", RepoName: "", RepoLink: "", DistroName: "", DistroVersion: "", NVD };
  const evidence = { Rank, KnownExploited, Ratings: [], Advisory: { Package: "" } };
  const named = { Name: id, Aliases, Severity, FixedBy, Metadata, ...evidence };
  const Source = source === undefined ? undefined : { Name: source, Version: "1" };
  return {
    package: { Name, VersionFormat: "", NamespaceName: "", AddedBy: "sha256:1", Version: "1", Source, UpgradeTo },
    vulnerability: { ...named, NamespaceName: "", Link: "", Description: "" },
  };
}

describe("filterFindings", () => {
  const findings = [
    { id: "CVE-2024-1", name: "openssl", fixedIn: "2", isExploited: true },
    { id: "GHSA-x", aliases: ["CVE-2023-9"], name: "axios", severity: "Low" },
  ].map(finding);

  it.each<[string, WantedFindings, string[]]>([
    ["nothing", {}, ["CVE-2024-1", "GHSA-x"]],
    ["a part of an id", { find: "2024" }, ["CVE-2024-1"]],
    ["an alias in another case", { find: "cve-2023" }, ["GHSA-x"]],
    ["a package", { find: "axi" }, ["GHSA-x"]],
    ["a severity", { severity: "Low" }, ["GHSA-x"]],
    ["a known exploit", { exploited: true }, ["CVE-2024-1"]],
    ["a fix", { fixed: true }, ["CVE-2024-1"]],
    ["an upgrade", { upgrade: '["openssl","1","2"]' }, ["CVE-2024-1"]],
    ["what nothing has", { find: "axi", severity: "High" }, []],
  ])("filters by %s", (_, wanted, left) => {
    expect(filterFindings(findings, wanted).map(({ vulnerability }) => vulnerability.Name)).toEqual(left);
  });
});

/** What each upgrade removes. */
function removals(...rows: readonly Row[]) {
  const findings = rows.map(finding);
  return groupByUpgrade(findings).map(({ key, package: name, to }) => [
    name,
    to,
    filterFindings(findings, { upgrade: key }).map(({ vulnerability }) => vulnerability.Name),
  ]);
}

describe("groupByUpgrade", () => {
  const openssl = { source: "openssl", upgradeTo: "3" } as const;

  it("joins all that one upgrade of a source removes, and puts what has no fix last", () => {
    expect(
      removals(
        { id: "no fix", name: "zlib", severity: "Critical", isExploited: true },
        { id: "later", name: "libssl3", fixedIn: "3", ...openssl },
        { id: "earlier", name: "libssl3", fixedIn: "2", ...openssl },
        { id: "never", name: "libssl3", ...openssl },
        { id: "earlier", name: "openssl", fixedIn: "2", upgradeTo: "3" },
      ),
    ).toEqual([
      ["openssl", "3", ["later", "earlier", "earlier"]],
      ["zlib", "", ["no fix"]],
      ["openssl", "", ["never"]],
    ]);
  });

  it("keeps each fix apart where the order of versions is not known", () => {
    expect(removals({ id: "1", fixedIn: "a" }, { id: "2", fixedIn: "b" })).toEqual([
      ["openssl", "a", ["1"]],
      ["openssl", "b", ["2"]],
    ]);
  });

  it.each<[string, Row[], Row[]]>([
    [
      "more known exploits",
      [{ severity: "Low", isExploited: true }],
      [{ severity: "Critical" }, { severity: "Critical" }],
    ],
    ["more of the worst severity", [{ severity: "Critical" }], [{ severity: "High" }, { severity: "High" }]],
    ["more of the next severity", [{ severity: "High" }, { severity: "Low" }], [{ severity: "High" }]],
  ])("puts first what removes %s", (_, more, less) => {
    const rows = (name: string, some: readonly Row[]) =>
      some.map((row, index) => finding({ name, id: `${index}`, fixedIn: "2", ...row }));
    const [worse, other] = [rows("worse", more), rows("other", less)];

    for (const findings of [
      [...worse, ...other],
      [...other, ...worse],
    ])
      expect(groupByUpgrade(findings).map((upgrade) => upgrade.package)).toEqual(["worse", "other"]);
  });
});

const layer = parseDigest(`sha256:${"1".repeat(64)}`);
const image = {
  config: { digest: `sha256:${"2".repeat(64)}` },
  layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: layer, size: 100 }],
};

/** The report of the tests, in which one vulnerability is in two packages. */
const report = {
  ...vulnerabilityReport,
  package_vulnerabilities: { ...vulnerabilityReport.package_vulnerabilities, "7": ["1"] },
};

interface ImageOptions {
  readonly inventory?: ImageScanner["inventory"];
  readonly blobs?: BlobStore;
}

async function openImage(
  problems: readonly string[] = [],
  { inventory = basicScanner.inventory, blobs = emptyBlobs }: ImageOptions = {},
) {
  let asked = 0;
  const coverage = {
    ...wholeCoverage,
    problems: problems.map((at) => ({ at, code: "malformed_package_db" as const, message: "it is cut off" })),
  };
  const imageScanner = {
    ...basicScanner,
    state: async () => "1",
    index: async () => {},
    inventory,
    find: async () => {
      asked++;
      return { status: "scanned", report, coverage } as const;
    },
  };
  const registry = await openTestRegistry({ ports: { imageScanner, blobs } });
  const ada = await registry.user("ada");
  const app = await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
  const manifest = await putManifest(registry, app, { content: image });
  const path = `/repository/ada/app/manifest/${manifest.digest}/security/findings`;
  const session = await registry.session(ada);
  return { registry, session, manifest, imageScanner, path, asked: () => asked };
}

/** Suppresses the vulnerability of the npm package. */
async function suppress(call: Call, { time }: TestRegistry): Promise<void> {
  const { status } = await call("POST", "/repository/ada/app/ignorerules", {
    vulnerability: "GHSA-c2qf-rxjj-qqgw",
    reason: "it is not reached",
    expires: new Date(time.now + 86_400_000).toISOString(),
  });
  expect(status).toBe(201);
}

describe("listRepoManifestFindings", () => {
  it.each<[string, readonly (readonly [string, string])[]]>([
    [
      "",
      [
        ["High", "semver"],
        ["Low", "bash"],
        ["Low", "libssl3"],
      ],
    ],
    [
      "order=risk",
      [
        ["Low", "libssl3"],
        ["Low", "bash"],
        ["High", "semver"],
      ],
    ],
    [
      "order=severity",
      [
        ["Low", "bash"],
        ["Low", "libssl3"],
        ["High", "semver"],
      ],
    ],
    [
      "order=-package",
      [
        ["High", "semver"],
        ["Low", "libssl3"],
        ["Low", "bash"],
      ],
    ],
    [
      "order=-score",
      [
        ["High", "semver"],
        ["Low", "bash"],
        ["Low", "libssl3"],
      ],
    ],
    [
      "order=name",
      [
        ["Low", "bash"],
        ["Low", "libssl3"],
        ["High", "semver"],
      ],
    ],
    ["limit=2&page=2", [["Low", "libssl3"]]],
    ["severity=Low&limit=1", [["Low", "bash"]]],
    ["page=9", []],
  ])("lists a page of findings: %s", async (query, expected) => {
    const { registry, path } = await openImage();
    await using _ = registry;

    const { data } = (await registry.anonymous("GET", `${path}?${query}`)).body;

    const shown = (data.findings as readonly PagedFinding[]).map((each) => [
      each.vulnerability.Severity,
      each.package.Name,
    ]);
    expect(shown).toEqual(expected);
  });

  it("counts findings by package and each vulnerability once, whatever the filters are", async () => {
    const { registry, path } = await openImage();
    await using _ = registry;

    const { data } = (await registry.anonymous("GET", `${path}?severity=High&limit=1`)).body;

    expect(data).toMatchObject({ page: 1, total: 1, has_additional: false });
    expect(data.counts).toMatchObject({
      findings: { high: 1, low: 2, fixable: 2, known_exploited: 0 },
      vulnerabilities: { high: 1, low: 1, fixable: 1, known_exploited: 0 },
      packages: 3,
      suppressed: 0,
    });
  });

  it("lists upgrades, packages with how many findings each has, and what rules suppress", async () => {
    const { registry, session, path } = await openImage();
    await using _ = registry;
    await suppress(session, registry);
    const data = async (query: string) => (await registry.anonymous("GET", `${path}?${query}`)).body.data;

    const { upgrades } = await data("list=upgrades");
    expect(upgrades).toMatchObject([
      { package: "bash", to: "3.0.13-1~deb12u1", removes: { low: 1 } },
      { package: "libssl3", to: "3.0.13-1~deb12u1", removes: { low: 1 } },
    ]);
    const ofUpgrade = await data(`upgrade=${encodeURIComponent(upgrades[1].key)}`);
    expect(ofUpgrade.findings.map((each: PagedFinding) => each.package.Name)).toEqual(["libssl3"]);
    const { packages } = await data("list=packages&order=-findings");
    expect(packages.map((each: { findings: number }) => each.findings)).toEqual([1, 1, 0]);
    expect((await data("list=packages&find=SEM")).packages).toMatchObject([{ package: { Name: "semver" } }]);
    expect(await data("list=suppressed")).toMatchObject({
      suppressed: [{ Name: "GHSA-c2qf-rxjj-qqgw", Package: "semver" }],
      counts: { suppressed: 1 },
    });
  });

  it("has the first hundred problems, and says how many there are", async () => {
    const { registry, path } = await openImage(Array.from({ length: 120 }, (_, index) => `file ${index}`));
    await using _ = registry;

    const { data } = (await registry.anonymous("GET", path)).body;

    expect([data.problems.length, data.problem_count]).toEqual([100, 120]);
  });

  it("answers about a private repository that may not be read as about one that does not exist", async () => {
    const { registry, session, path } = await openImage();
    await using _ = registry;
    await session("POST", "/repository/ada/app/changevisibility", { visibility: "private" });

    const [there, nowhere] = [
      await registry.anonymous("GET", path),
      await registry.anonymous("GET", path.replace("app", "nowhere")),
    ];

    expect(there.status).toBe(401);
    expect(nowhere.status).toBe(there.status);
  });
});

const npm = (name: string) => `srv/node_modules/${name}/package.json`;

/** An index report in which an application needs `express`, which needs the npm package of the report. */
const index: IndexReport = {
  manifestDigest: layer,
  ...{ state: "IndexFinished", success: true },
  packages: Object.fromEntries(
    [
      ...[["2", "libssl3", "3.0.11-1~deb12u1"] as const, ["7", "bash", "5.2.15-2+b2"] as const],
      ...[["10", "semver", "7.5.1"] as const, ["20", "app", "1"] as const, ["21", "express", "4"] as const],
    ].map(([id, name, version]) => [id, { id, name, version, kind: "BINARY" as const }]),
  ),
  distributions: {},
  repositories: {},
  environments: Object.fromEntries(
    Object.entries({ "10": npm("semver"), "20": "srv/package.json", "21": npm("express") }).map(([id, packageDb]) => [
      id,
      [{ packageDb, introducedIn: layer, repositoryIds: [] }],
    ]),
  ),
  dependencies: { "20": { packageIds: ["21"] }, "21": { packageIds: ["10"] } },
  coverage: wholeCoverage,
};

/** An index report of the same image with other ids, as a newer scanner makes it. */
const renumbered = {
  ...index,
  packages: { ...index.packages, "10": { ...index.packages["7"], id: "10" } },
} as IndexReport;

const configBytes = (config: object) => Buffer.from(JSON.stringify({ config }));
const startingApp = configBytes({ Cmd: ["node", "server.js"], WorkingDir: "/srv" });

function blobsWith(config: Uint8Array | undefined): BlobStore {
  return {
    ...emptyBlobs,
    find: async () => config?.length ?? Promise.reject(new BlobStoreError("unavailable", "it is away")),
    read: async function* () {
      if (config !== undefined) yield config;
    },
  };
}

describe("the findings of an image with a dependency graph", () => {
  const scanned = (report: IndexReport) => async () => ({ status: "scanned", index: report }) as const;
  const express = { name: "express", version: "4" };
  const app = { name: "app", version: "1" };
  const needed = { package: "semver", needed_by: [express, app] };
  const noEvidence = { reached: "no evidence" };
  const nothing = [{ package: "bash" }, { package: "libssl3" }, { package: "semver" }];

  it.each<[string, ImageScanner["inventory"], Uint8Array | undefined, object[]]>([
    [
      "by what each is needed, the nearest first, and what nothing is known to use",
      scanned(index),
      startingApp,
      [{ package: "bash", ...noEvidence }, { package: "libssl3", ...noEvidence }, needed],
    ],
    ["no mark if the image does not start anything", scanned(index), configBytes({}), [...nothing.slice(0, 2), needed]],
    ["no mark if its configuration is malformed", scanned(index), Buffer.from("{"), [...nothing.slice(0, 2), needed]],
    ["no mark while its configuration is away", scanned(index), undefined, [...nothing.slice(0, 2), needed]],
    ["nothing without a graph", scanned({ ...index, dependencies: undefined }), startingApp, nothing],
    [
      "nothing of a package with another name in the inventory",
      scanned(renumbered),
      startingApp,
      [{ package: "bash", ...noEvidence }, { package: "libssl3", ...noEvidence }, { package: "semver" }],
    ],
    ["nothing if the scanner has no inventory", basicScanner.inventory, startingApp, nothing],
    ["nothing while the scanner is away", () => Promise.reject(new Error("away")), startingApp, nothing],
  ])("say %s", async (_, inventory, config, expected) => {
    const { registry, path } = await openImage([], { inventory, blobs: blobsWith(config) });
    await using _registry = registry;

    const ofFindings = (await registry.anonymous("GET", path)).body.data.findings;
    const ofPackages = (await registry.anonymous("GET", `${path}?list=packages`)).body.data.packages;

    for (const rows of [ofFindings, ofPackages]) {
      const said = (rows as SaidOfUse[]).map(({ package: { Name }, needed_by, reached }) => {
        return { package: Name, needed_by, reached };
      });
      expect(said.sort((a, b) => (a.package < b.package ? -1 : 1))).toEqual(expected);
    }
  });
});

interface SaidOfUse {
  readonly package: { readonly Name: string };
  readonly needed_by?: object[];
  readonly reached?: string;
}

describe("answerImageQuestion", () => {
  it("reads the findings of an image once for several pages, until they may have changed", async () => {
    const { registry, session, manifest, imageScanner, asked } = await openImage();
    await using _ = registry;
    const { db } = registry.store;
    const row = await db
      .selectFrom("image_manifest")
      .selectAll()
      .where("digest", "=", manifest.digest)
      .executeTakeFirstOrThrow();
    const keptFindings = {};
    const { now } = registry.time;
    const ask = (at: number, revision: number) => {
      const question: QuestionWithRows = {
        kind: "findings",
        manifest: { ...row, security_revision: revision },
        wanted: { limit: 1 },
      };
      const deps = { ...noPorts, blobs: emptyBlobs, imageScanner, db, now: at, keptFindings };
      return answerImageQuestion(deps, question, new AbortController().signal);
    };
    const counts: number[] = [];

    for (const [at, revision] of [
      [now, 0],
      [now + 1, 0],
      [now + 2, 1],
      [now + 2 + findingsHoldMs, 1],
    ] as const) {
      await ask(at, revision);
      counts.push(asked());
    }

    expect(counts).toEqual([1, 1, 2, 3]);
    await suppress(session, registry);
    await ask(now + 3 + findingsHoldMs, 1); // with a rule, before a job has raised the revision
    expect(asked()).toBe(4);
  });
});
