import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { allEcosystems, createEngine, type IndexReport } from "@plimsoll/core";
import { isForDevelopment } from "@plimsoll/core/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIndexer } from "../../indexer.ts";
import { memoryLayerCache } from "../../layer-cache.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { fromDir } from "./from-dir.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "code-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const lock = JSON.stringify({
  packages: {
    "node_modules/debug": { version: "4.3.4" },
    "node_modules/mocha": { version: "10.0.0", dev: true },
  },
});

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function indexFolder(): Promise<IndexReport> {
  const engine = createEngine({ ecosystems: allEcosystems });
  const indexer = createIndexer({ engine, readers: nodeReaders(engine), cache: memoryLayerCache(), layersAtOnce: 1 });
  for await (const { report } of indexer.index(fromDir(folder))) return report;
  throw new Error("nothing was indexed");
}

function listed(report: IndexReport): readonly string[] {
  return Object.values(report.packages).map(({ id, name, version }) => {
    return `${name} ${version}${isForDevelopment(report, id) ? " (development)" : ""}`;
  });
}

describe("a folder of code", () => {
  it("has the packages of its lock files, those for development marked", async () => {
    await put({ "web/package-lock.json": lock, "go.mod": "require golang.org/x/net v0.17.0\n", "go.sum": "" });

    const report = await indexFolder();

    expect(listed(report)).toEqual(["debug 4.3.4", "golang.org/x/net v0.17.0", "mocha 10.0.0 (development)"]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each(["etc/os-release", "usr/lib/os-release"])("is none where there is %s", async (release) => {
    await put({ "web/package-lock.json": lock, [release]: "ID=alpine\nVERSION_ID=3.20\n" });

    const report = await indexFolder();

    expect(listed(report)).toEqual([]);
    expect(report.coverage.unassessed.map(({ kind }) => kind)).toContain("npm");
  });

  it("lists what is installed beside what is locked, a package once", async () => {
    const installed = JSON.stringify({ name: "mocha", version: "10.0.0" });
    await put({ "package-lock.json": lock, "node_modules/mocha/package.json": installed });

    const report = await indexFolder();

    expect(listed(report).toSorted()).toEqual(["debug 4.3.4", "mocha 10.0.0"]);
  });

  it("says which lock files are not read, and which could not be", async () => {
    await put({ "composer.lock": "{", "flake.lock": "{}" });

    const { coverage } = await indexFolder();

    expect(coverage.unassessed).toMatchObject([{ kind: "nix", count: 1 }]);
    expect(coverage.problems).toMatchObject([{ at: "composer.lock", code: "malformed_package_db" }]);
  });
});
