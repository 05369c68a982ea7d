import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { allEcosystems, createEngine } from "@plimsoll/core";
import { classDigestsOf } from "@plimsoll/core/internal";
import { buildTar, digestOf, makeZip, streamBytes } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLayerPool } from "../pool/layer-pool.ts";
import { buildJavaIndex } from "./build-java-index.ts";
import { openJavaIndex } from "./open-java-index.ts";

const jarOf = (content: string) => makeZip({ "A.class": content });
const pom = (group: string, artifact: string, version: string) => ({
  [`META-INF/maven/${group}/${artifact}/pom.properties`]: `groupId=${group}\nartifactId=${artifact}\nversion=${version}\n`,
});

const files: Readonly<Record<string, Uint8Array>> = {
  "org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar": jarOf("lz4"),
  "org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar.sha1": new Uint8Array(),
  "org/apache/velocity/velocity/1.5/velocity-1.5.jar": jarOf("velocity"),
  "velocity/velocity/1.5/velocity-1.5.jar": jarOf("velocity"),
  "files-2.1/g.h/a/2/0a1b/a-2.jar": jarOf("a"),
  "other/b.jar": makeZip(pom("g", "b", "3")),
  "g/classes/4/classes-4.jar": makeZip(Object.fromEntries([1, 2, 3, 4].map((at) => [`g/C${at}.class`, `${at}`]))),
  "other/unknown.jar": jarOf("unknown"),
  "other/damaged.jar": new TextEncoder().encode("PK damaged"),
};

let folder = "";
let repository = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "java-index-"));
  repository = join(folder, "repository");
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), bytes);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("buildJavaIndex", () => {
  it("indexes the archives of a folder by their place or their description, and counts the others", async () => {
    const output = join(folder, "built.db");

    const built = await buildJavaIndex({ folder: repository, output });
    using index = openJavaIndex(output);

    expect(built).toMatchObject({ archives: 6, skipped: 2 });
    expect(built.firstSkipped.toSorted()).toEqual([
      expect.stringContaining("other/damaged.jar: "),
      "other/unknown.jar: group, artifact and version are not known",
    ]);
    const found = Object.values(files).map((bytes) =>
      index
        .ofArchive(bytes)
        .map(({ group, artifact, version }) => `${group}:${artifact}:${version}`)
        .toSorted(),
    );
    expect(found).toEqual([
      ["org.lz4:lz4-java:1.8.0"],
      [],
      ["org.apache.velocity:velocity:1.5", "velocity:velocity:1.5"],
      ["org.apache.velocity:velocity:1.5", "velocity:velocity:1.5"],
      ["g.h:a:2"],
      ["g:b:3"],
      ["g:classes:4"],
      [],
      [],
    ]);
    const [digest = new Uint8Array()] = classDigestsOf({
      path: "classes.jar",
      bytes: files["g/classes/4/classes-4.jar"] ?? new Uint8Array(),
    });
    expect(index.ofClasses?.(digest)).toEqual([{ group: "g", artifact: "classes", version: "4" }]);
    expect(index.groupsOf("velocity")).toEqual(["org.apache.velocity", "velocity"]);
  });

  it("keeps the earlier index if the folder cannot be read", async () => {
    const output = join(folder, "kept.db");
    await buildJavaIndex({ folder: repository, output });

    const failing = buildJavaIndex({ folder: join(folder, "missing"), output });

    await expect(failing).rejects.toMatchObject({ code: "source_unreachable" });
    using index = openJavaIndex(output);
    expect(index.groupsOf("lz4-java")).toEqual(["org.lz4"]);
  });
});

describe("openJavaIndex", () => {
  it("has the same state for the same content, and another one for another content", async () => {
    const [one, same, other] = ["one.db", "same.db", "other.db"].map((name) => join(folder, name));
    await buildJavaIndex({ folder: repository, output: one ?? "" });
    await buildJavaIndex({ folder: repository, output: same ?? "" });
    await buildJavaIndex({ folder: join(repository, "other"), output: other ?? "" });

    const states = [one, same, other].map((path) => {
      using index = openJavaIndex(path ?? "");
      return index.state;
    });

    expect([states[0] === states[1], states[0] === states[2]]).toEqual([true, false]);
  });

  it.each([
    ["that is missing", "missing.db", "source_unreachable"],
    ["that is no index", "repository/other/b.jar", "malformed_package_db"],
  ])("refuses a file %s", (_, path, code) => {
    expect(() => openJavaIndex(join(folder, path))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(`the Java index ${folder}`) }),
    );
  });

  it("is used by the threads that read layers, also after its file was replaced", async () => {
    const path = join(folder, "used.db");
    await buildJavaIndex({ folder: repository, output: path });
    using java = openJavaIndex(path);
    renameSync(path, `${path}.old`);
    writeFileSync(path, "another file");
    const engine = createEngine({ ecosystems: allEcosystems, lookups: { java } });
    await using pool = openLayerPool({ engine, maxThreads: 1 });
    const tar = buildTar({ name: "app.jar", content: jarOf("lz4") });

    const { record } = await pool.readLayer({
      open: () => streamBytes(tar, 10_000),
      reopens: true,
      expected: { digest: digestOf(tar) },
    });

    expect(record.pieces.join()).toContain('"org.lz4:lz4-java"');
    expect(engine.state).not.toBe(createEngine({ ecosystems: allEcosystems }).state);
  });
});
