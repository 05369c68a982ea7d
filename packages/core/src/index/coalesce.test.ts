import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { buildPathSet } from "../layer/path-set.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import type { UnassessedKind, UnassessedPackages } from "../model/index-report.ts";
import type { Detector } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import type { Finding, PackageFinding } from "../plugins/finding.ts";
import { coalesce } from "./coalesce.ts";
import { coalesceDatabases, repositoryFiles } from "./coalesce-databases.ts";
import { evidenceFinder } from "./detect-layer.ts";
import type { ImageLayer } from "./layer-findings.ts";

const manifest = parseDigest(`sha256:${"0".repeat(64)}`);
const dbPath = "var/lib/db/status";

const detector: Detector = { name: "db", revision: 1, wants: () => true, detect: () => [] };
const ecosystem: Ecosystem = {
  name: "sample",
  detectors: [detector],
  matchers: [],
  purl: [],
  coalesce: coalesceDatabases({ origins: repositoryFiles((path) => path === "etc/repositories") }),
};
const engine = createEngine({ ecosystems: [ecosystem] });

function digestOf(index: number): Digest {
  return parseDigest(`sha256:${String(index + 1).repeat(64)}`);
}

interface LayerSketch {
  /** `name version`, what the database lists; absent: the layer has no database. */
  readonly db?: readonly string[];
  readonly release?: string;
  readonly removed?: readonly string[];
  readonly opaque?: readonly string[];
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
  readonly more?: readonly Finding[];
}

function layersOf(...sketches: readonly LayerSketch[]): ImageLayer[] {
  return sketches.map((sketch, index) => ({ status: "read", findings: layerFindings(sketch, index) }));
}

function layerFindings(sketch: LayerSketch, index: number) {
  const { db, release, removed = [], opaque = [], files = [], folders = [], more = [] } = sketch;
  const found: Finding[] = [...more];
  if (release !== undefined) {
    found.push({ kind: "distribution", path: "etc/os-release", distribution: { did: "sample", versionId: release } });
  }
  if (db !== undefined) found.push({ kind: "database", path: dbPath }, ...db.map(packageFinding));
  const leaves = buildPathSet(db === undefined ? files : [...files, dbPath]);
  return {
    digest: digestOf(index),
    findings: { db: found },
    shape: {
      removed: buildPathSet(removed),
      opaque: buildPathSet(opaque),
      leaves,
      folders: buildPathSet(folders),
    },
    entries: 1,
    uncompressedBytes: 1,
  };
}

function packageFinding(text: string): PackageFinding {
  const [name = "", version = ""] = text.split(" ");
  return { kind: "package", packageDb: dbPath, package: { name, version, kind: "BINARY" } };
}

/** `name version @layer release` per package, in id order. */
function summary(layers: readonly ImageLayer[]): string[] {
  const report = coalesce(engine, manifest, layers);
  return Object.values(report.packages).map(({ id, name, version }) => {
    const [environment] = report.environments[id] ?? [];
    const layer = layers.findIndex((_, index) => digestOf(index) === environment?.introducedIn);
    const release = report.distributions[environment?.distributionId ?? ""]?.versionId ?? "-";
    return `${name} ${version} @${layer} ${release}`;
  });
}

describe("coalesce", () => {
  it.each<readonly [story: string, layers: readonly LayerSketch[], expected: readonly string[]]>([
    ["one layer", [{ db: ["a 1", "b 1"], release: "12" }], ["a 1 @0 12", "b 1 @0 12"]],
    ["a package added above", [{ db: ["a 1"], release: "12" }, { db: ["a 1", "b 1"] }], ["a 1 @0 12", "b 1 @1 12"]],
    ["a package upgraded above", [{ db: ["a 1"], release: "12" }, { db: ["a 2"] }], ["a 2 @1 12"]],
    ["a package removed above", [{ db: ["a 1", "b 1"], release: "12" }, { db: ["b 1"] }], ["b 1 @0 12"]],
    ["a package removed and installed again", [{ db: ["a 1"] }, { db: [] }, { db: ["a 1"] }], ["a 1 @2 -"]],
    ["a database emptied above", [{ db: ["a 1"] }, { db: [] }], []],
    ["a database whited out", [{ db: ["a 1"] }, { removed: [dbPath] }], []],
    ["a folder above the database whited out", [{ db: ["a 1"] }, { removed: ["var/lib"] }], []],
    ["a folder above made opaque", [{ db: ["a 1"] }, { opaque: ["var"] }], []],
    ["a folder above replaced by a file", [{ db: ["a 1"] }, { files: ["var/lib"] }], []],
    ["the database replaced by a folder", [{ db: ["a 1"] }, { folders: [dbPath] }], []],
    ["a look-alike whiteout", [{ db: ["a 1"] }, { removed: ["var/lib/db/stat"] }], ["a 1 @0 -"]],
    ["a database removed and written again", [{ db: ["a 1"] }, { removed: [dbPath] }, { db: ["b 1"] }], ["b 1 @2 -"]],
    ["a release found only above", [{ db: ["a 1"] }, { release: "13" }], ["a 1 @0 13"]],
    [
      "an upgrade of the whole system",
      [
        { db: ["a 1", "b 1"], release: "12" },
        { db: ["a 2", "b 1"], release: "13" },
      ],
      ["a 2 @1 13", "b 1 @0 13"],
    ],
    ["no package at all", [{ files: ["bin/sh"] }], []],
  ])("%s", (_story, layers, expected) => {
    expect(summary(layersOf(...layers))).toEqual(expected);
  });

  it("gives each ecosystem what its own detectors found", () => {
    const given: Record<string, readonly Finding[]> = {};
    const noting = (name: string): Ecosystem => ({
      ...ecosystem,
      name,
      detectors: [{ ...detector, name: `${name}-db` }],
      coalesce(layers) {
        given[name] = layers.flatMap(({ findings }) => findings);
        return [];
      },
    });
    const findings = {
      "one-db": [packageFinding("a 1")],
      "other-db": [packageFinding("b 1")],
      gone: [packageFinding("c 1")],
    };
    const layer: ImageLayer = { status: "read", findings: { ...layerFindings({}, 0), findings } };

    coalesce(createEngine({ ecosystems: [noting("one"), noting("other")] }), manifest, [layer]);

    expect(given).toEqual({ one: [packageFinding("a 1")], other: [packageFinding("b 1")] });
  });

  it("gives sources ids of their own, shared by their binaries", () => {
    const source = { name: "s", version: "1", kind: "SOURCE" } as const;
    const found = ["a", "b"].map(
      (name): Finding => ({
        kind: "package",
        packageDb: dbPath,
        package: { name, version: "1", kind: "BINARY", source },
      }),
    );

    const { packages } = coalesce(engine, manifest, layersOf({ more: found }));

    expect(Object.values(packages).map((each) => [each.id, each.source?.id])).toEqual([
      ["1", "3"],
      ["2", "3"],
    ]);
  });

  it("keeps third-party packages apart from the repositories of the distribution", () => {
    const report = coalesce(
      engine,
      manifest,
      layersOf({
        db: ["a 1"],
        more: [
          { kind: "repository", path: "etc/repositories", repository: { name: "main" } },
          { kind: "repository", path: "etc/elsewhere", repository: { name: "other" } },
          { ...packageFinding("b 1"), thirdParty: "Docker" },
        ],
      }),
    );

    const names = Object.entries(report.environments).map(([id, [environment]]) => [
      report.packages[id]?.name,
      environment?.repositoryIds.map((repositoryId) => report.repositories[repositoryId]?.name),
    ]);
    expect(names).toEqual([
      ["a", ["main"]],
      ["b", ["Docker"]],
    ]);
    expect(report.coverage.thirdPartyPackages).toBe(1);
  });

  it("says what was not read", () => {
    const problem = { kind: "problem", code: "malformed_package_db", message: "damaged" } as const;
    const layers: ImageLayer[] = [
      ...layersOf(
        {
          more: [
            { ...problem, path: dbPath },
            { ...problem, path: "gone" },
          ],
        },
        { removed: ["gone"] },
      ),
      { status: "foreign", digest: digestOf(2), message: "lies elsewhere" },
    ];

    const { coverage } = coalesce(engine, manifest, layers);

    expect(coverage.status).toBe("partial");
    expect(coverage.problems.map(({ at }) => at)).toEqual([dbPath]);
    expect(coverage.layers.map(({ status }) => status)).toEqual(["read", "read", "foreign"]);
  });

  it("counts evidence of packages that no detector reads, where it is in the finished image", () => {
    const evidence = (packages: UnassessedKind, path: string, pieces = 1): Finding => {
      return { kind: "evidence", path, packages, pieces };
    };
    const npm = (path: string, pieces?: number) => evidence("npm", path, pieces);
    const layers = layersOf(
      { more: [npm("b/package.json"), npm("gone/package.json"), npm("z/package.json", 5)] },
      { removed: ["gone"], more: [npm("a/package.json"), evidence("java", "app.jar")], files: ["app.jar"] },
    );

    const { coverage } = coalesce(engine, manifest, layers);

    expect(coverage.status).toBe("partial");
    expect(coverage.unassessed).toEqual([
      { kind: "java", count: 1, evidence: [{ path: "app.jar", layer: digestOf(1) }] },
      {
        kind: "npm",
        count: 7,
        evidence: [
          { path: "a/package.json", layer: digestOf(1) },
          { path: "b/package.json", layer: digestOf(0) },
          { path: "z/package.json", layer: digestOf(0) },
        ],
      },
    ]);
  });

  it.each<readonly [string, string, readonly UnassessedPackages[]]>([
    ["takes no evidence of a kind that an ecosystem's detectors read", evidenceFinder, []],
    [
      "takes what a detector says that it could not tell",
      "java-archives",
      [{ kind: "java", count: 1, evidence: [{ path: "app.jar", layer: digestOf(0) }] }],
    ],
  ])("%s", (_, finder, unassessed) => {
    const reading = createEngine({ ecosystems: [{ ...ecosystem, assesses: ["java"] }] });
    const evidence: Finding = { kind: "evidence", path: "app.jar", packages: "java", pieces: 1 };
    const layers: ImageLayer[] = [
      { status: "read", findings: { ...layerFindings({}, 0), findings: { [finder]: [evidence] } } },
    ];

    expect(coalesce(reading, manifest, layers).coverage).toMatchObject({
      status: unassessed.length === 0 ? "complete" : "partial",
      unassessed,
    });
  });

  describe("a distribution whose packages are managed", () => {
    const dpkgEngine = createEngine({ ecosystems: [{ ...ecosystem, name: "dpkg" }] });
    const release = (did: string, like: readonly string[] = []): Finding => {
      return { kind: "distribution", path: "etc/os-release", distribution: { did, like } };
    };
    const problem: Finding = { kind: "problem", path: dbPath, code: "malformed_package_db", message: "damaged" };
    const unassessed = (...sketches: readonly LayerSketch[]) =>
      coalesce(dpkgEngine, manifest, layersOf(...sketches)).coverage.unassessed;
    const missing = (kind: UnassessedKind, index = 0) => [
      { kind, count: 1, evidence: [{ path: "etc/os-release", layer: digestOf(index) }] },
    ];

    it.each<[string, readonly LayerSketch[], readonly UnassessedPackages[]]>([
      ["no database", [{ more: [release("debian")] }], missing("dpkg")],
      ["an empty database", [{ more: [release("debian")], db: [] }], missing("dpkg")],
      ["a release whose kind only its name tells", [{ more: [release("kali")] }], missing("dpkg")],
      ["a release of a package manager that is not known", [{ more: [release("void")] }], missing("other")],
      ["such a release with packages that are known", [{ more: [release("void")], db: ["a 1"] }], []],
      ["an image that is built as a whole with packages", [{ more: [release("flatcar")], db: ["a 1"] }], []],
      [
        "a database that was removed",
        [{ more: [release("debian")], db: ["a 1"] }, { removed: [dbPath] }],
        missing("dpkg"),
      ],
      ["a database", [{ more: [release("debian")], db: ["a 1"] }], []],
      ["a database of opkg", [{ more: [release("openwrt")], db: ["a 1"] }], []],
      ["a database in another layer", [{ db: ["a 1"] }, { more: [release("ubuntu", ["debian"])] }], []],
      ["a damaged database", [{ more: [release("debian"), problem], db: [] }], []],
      ["a release that is named like another", [{ more: [release("mint", ["ubuntu", "debian"])] }], missing("dpkg")],
      ["packages of another kind only", [{ more: [release("rhel")], db: ["a 1"] }], missing("rpm")],
      [
        "a release that a later layer names",
        [{ more: [release("debian")] }, { more: [release("alpine")] }],
        missing("apk", 1),
      ],
      ["no package manager", [{ more: [release("buildroot")] }], missing("other")],
      ["no release", [{ db: [] }], []],
      ["a release that was removed", [{ more: [release("debian")] }, { removed: ["etc/os-release"] }], []],
    ])("with %s", (_, sketches, expected) => {
      expect(unassessed(...sketches)).toEqual(expected);
    });
  });

  it("names the first hundred pieces of evidence of a kind", () => {
    const evidence = Array.from(
      { length: 150 },
      (_, index): Finding => ({ kind: "evidence", path: `${1000 + index}.jar`, packages: "java", pieces: 1 }),
    );

    const [java] = coalesce(engine, manifest, layersOf({ more: evidence.toReversed() })).coverage.unassessed;

    expect(java?.count).toBe(150);
    expect(java?.evidence.map(({ path }) => path)).toEqual(evidence.slice(0, 100).map((_, at) => `${1000 + at}.jar`));
  });

  it("gives the same report for the same findings in another order", () => {
    const findings = ["b 1", "a 1"].map(packageFinding);

    const one = coalesce(engine, manifest, layersOf({ more: findings }));
    const other = coalesce(engine, manifest, layersOf({ more: findings.toReversed() }));

    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });
});
