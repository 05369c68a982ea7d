import { globSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { neededNode } from "../packages/server/src/node-version.ts";
import { judgeAudit, type LockEntry, lockProblems } from "./lock-file.ts";

const whole: LockEntry = { version: "1.0.0", integrity: "sha512-AAAA", license: "MIT" };

describe("lockProblems", () => {
  it.each<[what: string, path: string, entry: LockEntry, problem: string | undefined]>([
    ["a whole entry", "node_modules/a", whole, undefined],
    ["no digest", "node_modules/a", { version: "1.0.0", license: "MIT" }, "expected a SHA-512 digest, found none"],
    ["a weak digest", "node_modules/a", { ...whole, integrity: "sha1-AAAA" }, "found sha1-AAAA"],
    ["an address", "node_modules/a", { ...whole, resolved: "https://example.com/a.tgz" }, "downloaded from"],
    ["an unknown licence", "node_modules/a", { version: "1.0.0", integrity: "sha512-AAAA" }, "its licence is none"],
    [
      "a licence with duties",
      "node_modules/a",
      { ...whole, license: "GPL-3.0-or-later" },
      "its licence is GPL-3.0-or-later",
    ],
    ["a licence of tools, published", "node_modules/a", { ...whole, license: "MPL-2.0" }, "its licence is MPL-2.0"],
    ["a licence of tools, in a tool", "node_modules/a", { ...whole, license: "MPL-2.0", dev: true }, undefined],
    ["a script", "node_modules/a", { ...whole, dev: true, hasInstallScript: true }, "it has an installation script"],
    ["a script that is not needed", "node_modules/esbuild", { ...whole, dev: true, hasInstallScript: true }, undefined],
    [
      "one of those, published",
      "node_modules/esbuild",
      { ...whole, hasInstallScript: true },
      "it has an installation script",
    ],
    [
      "a nested package",
      "node_modules/a/node_modules/@b/c",
      { version: "1.0.0", license: "MIT" },
      "expected a SHA-512",
    ],
    ["a workspace", "packages/core", { version: "1.0.0" }, undefined],
    ["a link to one", "node_modules/@plimsoll/core", { link: true, resolved: "packages/core" }, undefined],
  ])("finds what is wrong with %s", (_, path, entry, problem) => {
    const problems = lockProblems({ packages: { [path]: entry } });

    expect(problems).toEqual(problem === undefined ? [] : [expect.stringContaining(`${path}: `)]);
    expect(problems.join("")).toContain(problem ?? "");
  });

  it("finds nothing wrong with the lock file of this repository", () => {
    expect(lockProblems(JSON.parse(readFileSync("package-lock.json", "utf8")))).toEqual([]);
  });

  it("holds because npm runs no scripts of packages", () => {
    expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
  });
});

const lock = {
  packages: {
    "node_modules/published": { version: "1.0.0" },
    "node_modules/tool": { version: "1.0.0", dev: true },
    "node_modules/tool/node_modules/both": { version: "1.0.0", dev: true },
    "node_modules/both": { version: "2.0.0" },
  },
};

describe("judgeAudit", () => {
  it.each<[severity: string, nodes: readonly string[], "problems" | "notes"]>([
    ["low", ["node_modules/published"], "problems"],
    ["moderate", ["node_modules/tool"], "notes"],
    ["high", ["node_modules/tool"], "problems"],
    ["critical", ["node_modules/tool"], "problems"],
    ["low", ["node_modules/tool/node_modules/both", "node_modules/both"], "problems"],
    ["low", ["node_modules/unknown"], "problems"],
    ["low", [], "problems"],
  ])("counts a %s vulnerability of %j among the %s", (severity, nodes, kind) => {
    const text = JSON.stringify({ vulnerabilities: { some: { severity, range: "<2", nodes } } });

    const judged = judgeAudit(text, lock);

    expect(judged?.[kind]).toEqual([expect.stringContaining(`some <2: a known vulnerability, ${severity}`)]);
  });

  it.each([
    ["an error", '{"message":"405 Method Not Allowed","statusCode":405}'],
    ["nothing", ""],
    ["a page", "<html>"],
  ])("knows nothing after %s", (_, text) => {
    expect(judgeAudit(text, lock)).toBeUndefined();
  });

  it("has no problem if there is no vulnerability", () => {
    expect(judgeAudit('{"vulnerabilities":{}}', lock)).toEqual({ problems: [], notes: [] });
  });
});

interface Manifest {
  readonly engines: { readonly node: string };
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface WholeEntry extends LockEntry {
  readonly engines?: { readonly node?: string };
}

const root = resolve(import.meta.dirname, "..");
const { engines, optionalDependencies }: Manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const { packages: locked }: { packages: Record<string, WholeEntry> } = JSON.parse(
  readFileSync(`${root}/package-lock.json`, "utf8"),
);
const pinned = Object.keys(optionalDependencies).filter((name) => name.startsWith("node-"));

it("pins one version of Node for every platform, with its integrity in the lock file", () => {
  const [version] = Object.values(optionalDependencies);
  const entries = pinned.map((name) => locked[`node_modules/${name}`]);
  expect(entries.map((entry) => `${entry?.os} ${entry?.cpu}`).sort()).toEqual([
    "darwin arm64",
    "darwin x64",
    "linux arm64",
    "linux x64",
    "win32 x64",
  ]);
  for (const entry of entries) expect(entry).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
});

it("has no URL of a registry in the lock file", () => {
  const addresses = Object.values(locked).flatMap(({ resolved }) => (resolved?.includes("://") ? resolved : []));
  expect(addresses).toEqual([]);
});

it("names the same oldest Node everywhere; core runs on an older one", () => {
  const oldest = `>=${neededNode.join(".")}.0`;
  expect(engines.node).toBe(oldest);
  const others = Object.entries(locked).filter(([path]) => /^packages\/[^/]+$/.test(path));
  const wanted = others.map(([path]) => [path, path === "packages/core" ? ">=22.15.0" : oldest]);
  expect(others.map(([path, entry]) => [path, entry.engines?.node])).toEqual(wanted);
});

describe("the TypeScript project of a package", () => {
  it.each(globSync("packages/*/tsconfig.json").sort())("%s refers to those of the packages that it imports", (path) => {
    const { references = [] } = JSON.parse(readFileSync(path, "utf8")) as { readonly references?: { path: string }[] };
    const sources = globSync(`${dirname(path)}/src/**/*.{ts,tsx}`, { exclude: ["**/*.test.ts", "**/fixtures/**"] });
    const imported = sources.flatMap((source) =>
      [...readFileSync(source, "utf8").matchAll(/^(?:import|export|\}) .*from "@plimsoll\/([a-z-]+)/gm)].map(
        ([, name]) => name,
      ),
    );
    const others = new Set(imported.filter((name) => name !== basename(dirname(path))));

    expect(references.map((each) => basename(each.path)).sort()).toEqual([...others].sort());
  });
});
