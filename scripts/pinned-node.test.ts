import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { neededNode } from "../packages/server/src/node-version.ts";

interface Manifest {
  readonly engines: { readonly node: string };
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
  readonly os?: string;
  readonly cpu?: string;
}

const root = resolve(import.meta.dirname, "..");
const { engines, optionalDependencies }: Manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8"));
const pinned = Object.keys(optionalDependencies).filter((name) => name.startsWith("node-"));

it("pins one version of Node for every platform, with its integrity in the lock file", () => {
  const [version] = Object.values(optionalDependencies);
  const locked = pinned.map((name) => lock.packages[`node_modules/${name}`]);
  expect(locked.map((entry) => `${entry?.os} ${entry?.cpu}`).sort()).toEqual([
    "darwin arm64",
    "darwin x64",
    "linux arm64",
    "linux x64",
    "win32 x64",
  ]);
  for (const entry of locked) expect(entry).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
});

it("has no URL of a registry in the lock file", () => {
  const addresses = Object.values(lock.packages).flatMap(({ resolved }) => (resolved?.includes("://") ? resolved : []));
  expect(addresses).toEqual([]);
});

it("names the same oldest Node everywhere; core runs on an older one", () => {
  const oldest = `>=${neededNode.join(".")}.0`;
  expect(engines.node).toBe(oldest);
  const others = Object.entries(lock.packages).filter(([path]) => /^packages\/[^/]+$/.test(path));
  const wanted = others.map(([path]) => [path, path === "packages/core" ? ">=22.15.0" : oldest]);
  expect(others.map(([path, entry]) => [path, entry.engines?.node])).toEqual(wanted);
});
