import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEcosystems, createEngine } from "@plimsoll/core";
import { findCorpus } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIndexer } from "../../indexer.ts";
import { memoryLayerCache } from "../../layer-cache.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { fromDir } from "./from-dir.ts";

const corpus = findCorpus() ?? "";
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "locks-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Takes one file out of whatever layer of an image has it. */
function unpack(image: string, path: string): void {
  const layers = join(folder, "layers");
  execFileSync("mkdir", [layers]);
  execFileSync("tar", ["-xf", join(corpus, "data/images", image, `${image}.tar`), "-C", layers]);
  for (const name of readdirSync(layers, { recursive: true, encoding: "utf8" })) {
    try {
      execFileSync("tar", ["-xf", join(layers, name), "-C", folder, path], { stdio: "ignore" });
    } catch {
      // another layer, or no layer at all
    }
  }
  execFileSync("rm", ["-r", layers]);
}

async function indexFolder(): Promise<readonly string[]> {
  const engine = createEngine({ ecosystems: allEcosystems });
  const indexer = createIndexer({ engine, readers: nodeReaders(engine), cache: memoryLayerCache(), layersAtOnce: 1 });
  for await (const { report } of indexer.index(fromDir(folder))) {
    expect(report.coverage).toMatchObject({ status: "complete" });
    return Object.values(report.packages).map(({ name, version }) => `${name} ${version}`);
  }
  return [];
}

describe.skipIf(corpus === "")("lock files of real projects", () => {
  it.each([
    ["pnpm-lock-v9", "app/pnpm-lock.yaml", /^ {2}(?!\.)(\S+)@(\d[^:]*):$/gm, 2],
    ["python-poetry", "app/poetry.lock", /^name = "(.*)"\nversion = "(.*)"$/gm, 7],
    ["ruby-gemfile", "Gemfile.lock", /^ {4}(\S+) \((\d[^-)]*)(?:-java)?\)$/gm, 150],
  ])("of %s: %s", async (image, path, entry, atLeast) => {
    unpack(image, path);
    const text = (await readFile(join(folder, path), "utf8")).replace(/^PATH[\s\S]*(?=^GEM)/m, "");
    const counted = new Set([...text.matchAll(entry)].map(([, name, version]) => `${name} ${version}`));

    const found = await indexFolder();

    expect(new Set(found)).toEqual(counted);
    expect(found.length).toBeGreaterThanOrEqual(atLeast);
  });
});
