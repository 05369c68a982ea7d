import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { allEcosystems, createEngine, type IndexReport } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import { buildTar, makeZip } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIndexer } from "../../indexer.ts";
import { memoryLayerCache } from "../../layer-cache.ts";
import { fromDir } from "../folder/from-dir.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { findFileKind, fromFile } from "./from-file.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "file-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const engine = createEngine({ ecosystems: allEcosystems });
const indexer = createIndexer({ engine, readers: nodeReaders(engine), cache: memoryLayerCache(), layersAtOnce: 1 });

/** The path of the only file of a new folder. */
async function fileAlone(name: string, content: Uint8Array): Promise<string> {
  const own = await mkdtemp(join(folder, "of-"));
  const file = join(own, name);
  await writeFile(file, content, { mode: 0o755 });
  return file;
}

/** What a source has: its packages with their places, what was not assessed, and its problems. */
async function contentsOf(source: ImageSource): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { report } of indexer.index(source)) found.push(...linesOf(report));
  return found.sort();
}

function linesOf({ packages, environments, coverage }: IndexReport): readonly string[] {
  return [
    ...Object.entries(packages).map(
      ([id, { name, version }]) => `${name} ${version} in ${environments[id]?.map((each) => each.packageDb).join()}`,
    ),
    ...coverage.unassessed.map(({ kind, evidence }) => `not assessed: ${kind} ${evidence.map(({ path }) => path)}`),
    ...coverage.problems.map(({ code, at }) => `problem: ${code} ${at}`),
  ];
}

const jar = makeZip({
  "META-INF/maven/org.example/app/pom.properties": "groupId=org.example\nartifactId=app\nversion=1.2\n",
});
const wheel = makeZip({
  "six-1.16.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: six\nVersion: 1.16.0\n",
  "six/node_modules/low/package.json": JSON.stringify({ name: "low", version: "1.0.0" }),
});
const script = "#!/usr/bin/env python3\n";
const npmPackage = JSON.stringify({ name: "low", version: "1.0.0" });

/** One file of each kind of archive, by its name. */
const files: readonly (readonly [name: string, content: Uint8Array, expected: string])[] = [
  ["app-1.2.jar", jar, "org.example:app 1.2 in app-1.2.jar"],
  [`${"a".repeat(120)}-1.2.jar`, jar, "org.example:app 1.2"],
  ["app.war", makeZip({ "WEB-INF/lib/app-1.2.jar": jar }), "org.example:app 1.2"],
  ["six-1.16.0-py2.py3-none-any.whl", wheel, "low 1.0.0 in six-1.16.0-py2.py3-none-any.whl:six/node_modules/low/"],
  ["six-1.16.0-py3-none-any.WHL", wheel, ""],
  ["six-1.16.0-py3-none-any.whl", makeZip({ "six.py": "" }), "not assessed: python"],
  ["bad.whl", Buffer.from("PK\x03\x04"), "problem: malformed_archive"],
  ["six-1.16.0.egg", makeZip({ "EGG-INFO/PKG-INFO": "Name: six\nVersion: 1.16.0\n" }), "six 1.16.0"],
  ["app.pex", makeZip({ ".deps/six.whl/six-1.dist-info/METADATA": "Name: six\nVersion: 1\n" }), "six 1"],
  ["app.pyz", makeZip({ "six-1.dist-info/METADATA": "Name: six\nVersion: 1\n" }, { program: script }), "six 1"],
  ["app", makeZip({ "six-1.dist-info/METADATA": "Name: six\nVersion: 1\n" }, { program: script }), "six 1"],
  ["a.1.0.0.nupkg", makeZip({ "a.nuspec": "<id>a</id><version>1.0.0</version>" }), "a 1.0.0"],
  ["a-npm-1.0.0-0123456789-10.zip", makeZip({ "node_modules/low/package.json": npmPackage }), ""],
  ["jiffy-1.0.ez", makeZip({ "jiffy-1.0/ebin/jiffy.app": '{application, jiffy, [{vsn, "1.0"}]}.' }), "jiffy 1.0"],
  ["rack-2.0.gem", buildTar({ name: "metadata.gz", content: gzipSync("name: rack\n") }), "not assessed: ruby"],
  ["a-1.0-0.conda", makeZip({ "metadata.json": "{}" }), ""],
  ["a-1.0-0.tar.bz2", Buffer.from("BZh9"), ""],
  ["low-1.0.0.tgz", gzipSync(buildTar({ name: "package/package.json", content: npmPackage })), "not assessed: npm"],
  ["package.json", Buffer.from(npmPackage), ""],
];

describe("fromFile", () => {
  it.each(files)("has of %s what a folder with this file has", async (name, content, expected) => {
    const file = await fileAlone(name, content);

    const found = await contentsOf(fromFile(file));

    expect(found).toEqual(await contentsOf(fromDir(join(file, ".."))));
    expect(found.join("\n")).toContain(expected);
  });

  it("says that there is no such file", async () => {
    await expect(contentsOf(fromFile(join(folder, "none")))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("findFileKind", () => {
  it.each([
    ["a zip archive", jar, "file"],
    ["a zip archive behind a script", makeZip({ a: "" }, { program: script, comment: "c".repeat(5000) }), "file"],
    ["a script", Buffer.from(script), "archive"],
    ["a tar archive", buildTar({ name: "a" }), "archive"],
    ["JSON", Buffer.from("{}"), "sbom"],
  ])("is by the content: %s", async (_, content, kind) => {
    expect(await findFileKind(await fileAlone("content", content))).toBe(kind);
  });
});
