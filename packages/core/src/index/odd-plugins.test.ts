/** Plug-ins as JavaScript has them: what TypeScript would refuse is a problem of the report, never silence. */
import { makeZip, type OddMember } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { indexLayers } from "../ecosystems/language/fixtures/index-layers.ts";
import { createEvidenceRules } from "../evidence/evidence-rules.ts";
import type { CoalescedPackage } from "../plugins/coalescer.ts";
import type { FileDetector, FileEntry, LayerFile, PathDetector } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import { coalesceFiles } from "./coalesce-files.ts";
import { evidenceIsRead } from "./evidence-is-read.ts";

const found = { name: "a", version: "1", kind: "BINARY" };
const good = { kind: "package", packageDb: "a.txt", package: found };

const file: OddMember = { name: "a.txt", content: "a" };

const ecosystem = (parts: Partial<Ecosystem>): Ecosystem => ({
  name: "odd",
  detectors: [],
  matchers: [],
  purl: [],
  coalesce: coalesceFiles({ name: "odd", key: "language" }),
  ...parts,
});

async function problemsOf(parts: object): Promise<{ readonly problems: readonly string[]; readonly status: string }> {
  const { coverage } = await indexLayers(
    [[file]],
    createEngine({ ecosystems: [ecosystem(parts as Partial<Ecosystem>)] }),
  );
  return { problems: coverage.problems.map(({ code, message }) => `${code} ${message}`), status: coverage.status };
}

/** The errors of promises that nothing awaits. */
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

const odd: readonly (readonly [title: string, detect: () => unknown, problem: string])[] = [
  ["an unknown kind", () => [{ ...good, kind: "packagee" }], "malformed_finding odd: expected a finding of the kind"],
  ["no kind", () => [{}], "malformed_finding odd: expected a finding of the kind"],
  ["no object", () => [undefined], "malformed_finding odd: expected a finding of the kind"],
  [
    "a package without a version",
    () => [{ ...good, package: { name: "a", kind: "BINARY" } }],
    "malformed_finding odd: found",
  ],
  ["a package of no kind", () => [{ ...good, package: { name: "a", version: "1" } }], "malformed_finding odd: found"],
  ["a package with a number", () => [{ ...good, package: { ...found, version: 1 } }], "malformed_finding odd: found"],
  ["a package without a place", () => [{ kind: "package", package: found }], "malformed_finding odd: found"],
  ["an odd source", () => [{ ...good, package: { ...found, source: "b" } }], "malformed_finding odd: found"],
  ["a name of Object", () => [{ kind: "toString" }], "malformed_finding odd: expected a finding of the kind"],
  ["a promise", async () => [good], "detector_failed odd: detect of odd returned a promise"],
  [
    "a promise that is rejected",
    () => Promise.reject(new Error("late")),
    "detector_failed odd: detect of odd returned a promise",
  ],
  [
    "an asynchronous sequence",
    async function* () {
      yield good;
    },
    "detector_failed odd: detect of odd returned an asynchronous sequence",
  ],
  ["nothing", () => undefined, "detector_failed odd: detect of odd: expected a sequence, found undefined"],
  ["a promise in a list", () => [Promise.reject(new Error("late"))], "found a promise: it must not be asynchronous"],
  [
    "an error",
    () => {
      throw new Error("broken");
    },
    "detector_failed odd: broken",
  ],
  [
    "an error after a finding",
    function* () {
      yield good;
      throw new Error("broken");
    },
    "detector_failed odd: broken",
  ],
];

describe.each([
  { of: "layers", member: "detectors", answer: true },
  { of: "files", member: "fileDetectors", answer: false },
])("a detector of $of, in JavaScript", ({ member, answer }) => {
  it.each(odd)("that yields %s is a problem", async (_, detect, problem) => {
    const detector = { name: "odd", revision: 1, wants: () => true, detect };

    const { problems, status } = await problemsOf({ [member]: [detector] });

    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(status).toBe("partial");
  });

  it.each<[string, unknown]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["returns a promise", async () => answer],
  ])("whose wants %s is a problem", async (_, wants) => {
    const detector = { name: "odd", revision: 1, wants, detect: () => [] };

    expect((await problemsOf({ [member]: [detector] })).problems).toEqual([
      expect.stringMatching(/^detector_failed odd: /),
    ]);
  });
});

const throws = () => fail();
const rejects = () => Promise.reject(new Error("late"));

describe("a detector of files and links, in JavaScript", () => {
  const link: OddMember = { name: "app/lib", type: "2", linkName: "../opt/lib" };
  const archive: OddMember = { name: "a.jar", content: makeZip({ "a.txt": "a" }) };

  it.each<[title: string, parts: object, problem: string]>([
    ["whose readsBelow throws", { readsBelow: throws }, "broken"],
    ["whose readsBelow is rejected", { readsBelow: rejects }, "readsBelow of odd returned a promise"],
    ["whose readsBelow is a text", { readsBelow: () => "a" }, "readsBelow: expected a list of texts, found string"],
    ["whose readsBelow are numbers", { readsBelow: () => [5] }, "readsBelow: expected a list of texts, found number"],
    ["whose readsBelow are promises", { readsBelow: () => [rejects(), rejects()] }, "of texts, found a promise"],
    ["whose links throws", { links: throws }, "broken"],
    ["whose links is rejected", { links: rejects }, "detect of odd returned a promise"],
    ["whose isArchive throws", { opens: { packages: "java", isArchive: throws } }, "broken"],
    ["whose isArchive is rejected", { opens: { packages: "java", isArchive: rejects } }, "isArchive of odd returned"],
  ])("%s is a problem, and the file is read", async (_, parts, problem) => {
    const wants = ({ path }: FileEntry) => path.endsWith(".jar");
    const detect = ({ path }: LayerFile) => [{ ...good, packageDb: path }];
    const fileDetectors = [{ name: "odd", revision: 1, wants, detect, ...parts }] as unknown as FileDetector[];
    const engine = createEngine({ ecosystems: [ecosystem({ fileDetectors })] });

    const { coverage, packages } = await indexLayers([[link, archive]], engine);

    expect(coverage.problems).toEqual([
      expect.objectContaining({ code: "detector_failed", message: expect.stringContaining(problem) }),
    ]);
    expect(coverage.status).toBe("partial");
    expect(Object.values(packages).map(({ name }) => name)).toEqual(["a"]);
  });

  it("that wants a file no more when it is asked again is no error", async () => {
    const fileDetectors: FileDetector[] = [
      { name: "odd", revision: 1, wants: throws, programs: "go", detect: () => [] },
    ];
    const engine = createEngine({ ecosystems: [ecosystem({ fileDetectors, assesses: ["java"] })] });

    const { coverage } = await indexLayers([[link, archive]], engine);

    expect(coverage.problems.map(({ message }) => message)).toEqual(["odd: broken"]);
    expect(coverage.unassessed.map(({ kind }) => kind)).toEqual(["java"]);
  });
});

describe("an ecosystem, in JavaScript", () => {
  const failing = { dependencies: throws, unusedDatabases: throws, runtime: { program: "a", placesFor: throws } };

  it.each<[title: string, parts: object, problem: string]>([
    ["whose unusedDatabases throws", { unusedDatabases: throws }, "odd: broken"],
    ["whose unusedDatabases is rejected", { unusedDatabases: rejects }, "unusedDatabases of odd returned a promise"],
    ["whose unusedDatabases is no map", { unusedDatabases: () => ["a"] }, "expected a map, found a list"],
    ["whose dependencies throws", { dependencies: throws }, "odd: broken"],
    ["whose dependencies is rejected", { dependencies: rejects }, "dependencies of odd returned a promise"],
    ["whose dependencies throw later", { dependencies: () => throws }, "odd: broken"],
    [
      "whose dependencies are rejected later",
      { dependencies: () => rejects },
      "dependencies of odd returned a promise",
    ],
    ["whose dependencies are no sequence", { dependencies: () => () => 5 }, "expected a sequence, found number"],
    ["whose runtime throws", { runtime: { program: "a", placesFor: throws } }, "odd: broken"],
    [
      "whose runtime is rejected",
      { runtime: { program: "a", placesFor: rejects } },
      "placesFor of a returned a promise",
    ],
    ["of which all fails", failing, "odd: broken"],
  ])("%s is a problem, and its packages are there", async (_, parts, problem) => {
    const coalesce = () => [merged] as unknown as CoalescedPackage[];
    const engine = createEngine({ ecosystems: [ecosystem({ coalesce, ...parts })] });

    const { coverage, packages } = await indexLayers([[file]], engine);

    expect(coverage.problems).toEqual([
      { at: "odd", code: "ecosystem_failed", message: expect.stringContaining(problem) },
    ]);
    expect(coverage.status).toBe("partial");
    expect(Object.values(packages).map(({ name }) => name)).toEqual(["a"]);
  });

  const rule = { kind: "java", extensions: ["txt"] };

  it.each<[title: string, rule: object]>([
    ["folderOf throws", { kind: "java", folderOf: throws }],
    ["folderOf is rejected", { kind: "java", folderOf: rejects }],
    ["folderOf is a number", { kind: "java", folderOf: () => 5 }],
    ["where throws", { ...rule, where: { test: throws } }],
    ["where is rejected", { ...rule, where: { test: rejects } }],
    ["unless throws", { ...rule, unless: { test: throws } }],
    ["unless is rejected", { ...rule, unless: { test: rejects } }],
    ["packageOf throws", { ...rule, packageOf: throws }],
    ["packageOf is rejected", { ...rule, packageOf: rejects }],
    ["packageOf is a number", { ...rule, packageOf: () => 5 }],
    ["packageOf of a folder throws", { kind: "java", folderOf: () => "", packageOf: throws }],
    ["watch throws", { ...rule, watch: throws }],
    ["watch is rejected", { ...rule, watch: rejects }],
    ["watch is a number", { ...rule, watch: () => 5 }],
    ["watcher throws", { ...rule, watch: () => throws }],
    ["watcher is rejected", { ...rule, watch: () => rejects }],
  ])("whose %s has not read the file", async (_, odd) => {
    const evidence = [odd] as unknown as Ecosystem["evidence"];
    const fileDetectors = [{ name: "reader", revision: 1, wants: () => false, detect: () => [] }] as FileDetector[];
    const parts = ecosystem({ evidence, assesses: ["java"], fileDetectors });

    const { coverage } = await indexLayers([[file]], createEngine({ ecosystems: [parts] }));

    expect(coverage).toMatchObject({
      status: "partial",
      unassessed: [{ kind: "java", evidence: [{ path: "a.txt" }] }],
    });
  });

  it.each<[title: string, installation: object, isAll: boolean]>([
    ["isPlace throws", { isPlace: throws }, true],
    ["isPlace is rejected", { isPlace: rejects }, true],
    ["isMadeFrom throws", { isMadeFrom: throws }, false],
    ["isMadeFrom is rejected", { isMadeFrom: rejects }, false],
  ])("whose %s has not read a lock file", (_, installation, isAll) => {
    const path = "app/odd.lock";
    const locked = new Map([[path, { path, packages: ["a@1", "b@1", "c@1"] }]]);
    const needs = new Map([[path, { names: ["a"], isAll }]]);
    const rules = createEvidenceRules([{ kind: "java", files: ["odd.lock"], isLockFile: true }]);
    const parts = ecosystem({ assesses: ["java"], fileDetectors: [], installation });
    const packages = [merged] as unknown as CoalescedPackage[];

    const isRead = evidenceIsRead([{ ecosystem: parts, packages }], { locked, needs } as never, rules);

    expect(isRead("java", path)).toBe(false);
  });
});

describe("a detector of paths, in JavaScript", () => {
  it.each(odd)("that yields %s is a problem", async (_, detect, problem) => {
    const detector = { name: "odd", revision: 1, packages: "go", detect } as PathDetector;
    const evidence: OddMember = { name: "app/go.sum", content: "a" };
    const parts = ecosystem({ pathDetectors: [detector] });

    const { coverage } = await indexLayers([[file, evidence]], createEngine({ ecosystems: [parts] }));

    expect(coverage.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringContaining(problem),
    ]);
  });
});

const merged = { package: found, packageDb: "a.txt", introducedIn: "sha256:0", repositories: [] };

describe("a coalescer, in JavaScript", () => {
  it.each<[title: string, coalesce: () => unknown, problem: string, packages: readonly string[]]>([
    ["throws", () => fail(), "ecosystem_failed odd: broken", ["other"]],
    [
      "throws after a package",
      function* () {
        yield merged;
        fail();
      },
      "ecosystem_failed odd: broken",
      ["a", "other"],
    ],
    ["returns a promise", async () => [merged], "ecosystem_failed coalesce of odd returned a promise", ["other"]],
    ["returns nothing", () => undefined, "coalesce of odd: expected a sequence, found undefined", ["other"]],
    ["returns a text", () => "a", "coalesce of odd: expected a sequence, found string", ["other"]],
    [
      "yields nothing",
      () => [undefined, merged],
      "expected a package with its members, found undefined",
      ["a", "other"],
    ],
    ["yields no place", () => [{ ...merged, packageDb: 1 }], "its members, found an object", ["other"]],
    ["yields no package", () => [{ ...merged, package: {} }], "its members, found an object", ["other"]],
    ["yields odd repositories", () => [{ ...merged, repositories: "a" }], "its members, found an object", ["other"]],
    ["yields a promise", () => [Promise.resolve(merged)], "found a promise: it must not be asynchronous", ["other"]],
  ])("that %s is a problem, and others are read", async (_, coalesce, problem, packages) => {
    const other = { ...merged, package: { ...found, name: "other" } } as unknown as CoalescedPackage;
    const engine = createEngine({
      ecosystems: [
        ecosystem({ coalesce: coalesce as Ecosystem["coalesce"] }),
        ecosystem({ name: "other", coalesce: () => [other] }),
      ],
    });

    const report = await indexLayers([[file]], engine);

    const { problems, status } = report.coverage;
    expect(problems.map(({ at, code, message }) => [at, `${code} ${message}`])).toEqual([
      ["odd", expect.stringContaining(problem)],
    ]);
    expect(status).toBe("partial");
    expect(Object.values(report.packages).map(({ name }) => name)).toEqual(packages);
  });
});

function fail(): never {
  throw new Error("broken");
}

it("leaves no error of a promise unhandled", () => {
  expect(unhandled).toEqual([]);
});
