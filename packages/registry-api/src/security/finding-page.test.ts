import { parseDigest } from "@plimsoll/core/digest";
import { noPorts } from "@plimsoll/registry/ports";
import type { QuestionWithRows, WantedFindings } from "@plimsoll/registry/ports/large-images";
import { basicScanner } from "@plimsoll/registry/ports/scanning";
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
  config: {},
  layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: layer, size: 100 }],
};

/** The report of the tests, in which one vulnerability is in two packages. */
const report = {
  ...vulnerabilityReport,
  package_vulnerabilities: { ...vulnerabilityReport.package_vulnerabilities, "7": ["1"] },
};

async function openImage(problems: readonly string[] = []) {
  let asked = 0;
  const coverage = {
    ...wholeCoverage,
    problems: problems.map((at) => ({ at, code: "malformed_package_db" as const, message: "it is cut off" })),
  };
  const imageScanner = {
    ...basicScanner,
    state: async () => "1",
    index: async () => {},
    find: async () => {
      asked++;
      return { status: "scanned", report, coverage } as const;
    },
  };
  const registry = await openTestRegistry({ ports: { imageScanner } });
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
