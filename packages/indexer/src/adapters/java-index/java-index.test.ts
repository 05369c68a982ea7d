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

    await expect(failing).rejects.toMatchObject({ code: "feed_unreachable" });
    using index = openJavaIndex(output);
    expect(index.groupsOf("lz4-java")).toEqual(["org.lz4"]);
  });
});

const model = (group: string, rest = "") =>
  new TextEncoder().encode(`<project><groupId>${group}</groupId><artifactId>a</artifactId>${rest}</project>`);
const child = new TextEncoder().encode(
  "<project><parent><groupId>org.h</groupId><artifactId>p</artifactId><version>1.0</version></parent><artifactId>a</artifactId></project>",
);

describe("buildJavaIndex, the group of an archive", () => {
  const jar = jarOf("one");
  it.each<readonly [string, string, Readonly<Record<string, Uint8Array>>, string | undefined]>([
    ["of a repository", "repository", { "g/h/a/1.0/a-1.0.jar": jar }, "g.h:a:1.0"],
    ["of a part of a repository", ".m2/repository/org", { "h/a/1.0/a-1.0.jar": jar }, "org.h:a:1.0"],
    ["of a cache of Ivy", "cache", { "g.h/a/jars/a-1.0.jar": jar }, "g.h:a:1.0"],
    ["of a part of a cache of Ivy", ".ivy2/cache/g.h", { "a/jars/a-1.0.jar": jar }, "g.h:a:1.0"],
    ["of a part of a cache of Gradle", "files-2.1/g.h", { "a/1.0/0a1b/a-1.0.jar": jar }, "g.h:a:1.0"],
    ["of folders that may begin anywhere", "mirror", { "central/org/h/a/1.0/a-1.0.jar": jar }, undefined],
    ["of an unknown part of a repository", "org", { "h/a/1.0/a-1.0.jar": jar }, undefined],
    ["of a model", "mirror", { "x/a/1.0/a-1.0.jar": jar, "x/a/1.0/a-1.0.pom": model("org.h") }, "org.h:a:1.0"],
    ["of a model's parent", "m", { "x/a-1.0-uber.jar": jar, "x/a-1.0.pom": child }, "org.h:a:1.0"],
    [
      "of a model before folders",
      "repository",
      { "central/g/a/1.0/a-1.0.jar": jar, "central/g/a/1.0/a-1.0.pom": model("g", "<version>${v}</version>") },
      "g:a:1.0",
    ],
    ["of a model of another file", "m", { "b-1.0.jar": jar, "b-1.0.pom": child }, undefined],
    ["of a damaged model", "repository", { "g/a/1.0/a-1.0.jar": jar, "g/a/1.0/a-1.0.pom": jar }, "g:a:1.0"],
    [
      "of the archive, below folders with other names",
      "repository",
      { "central/org/h/a/1.0/a-1.0.jar": makeZip(pom("org.h", "a", "1.0")) },
      "org.h:a:1.0",
    ],
  ])("is that %s", async (name, below, content, expected) => {
    const root = join(folder, "groups", name, below);
    for (const [path, bytes] of Object.entries(content)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    }

    await buildJavaIndex({ folder: root, output: join(folder, "groups.db") }).catch((error) => {
      expect(error).toMatchObject({ code: "malformed_feed" }); // the index of the row before stays
      rmSync(join(folder, "groups.db"));
      return buildJavaIndex({ folder: root, output: join(folder, "groups.db") });
    });

    using index = openJavaIndex(join(folder, "groups.db"));
    const archive = Object.entries(content).find(([path]) => path.endsWith(".jar"))?.[1] ?? jar;
    const found = index.ofArchive(archive).map(({ group, artifact, version }) => `${group}:${artifact}:${version}`);
    expect(found).toEqual(expected === undefined ? [] : [expected]);
    expect(index.archives).toBe(found.length);
  });

  it("keeps an index with archives if there are none now", async () => {
    const [output, empty] = [join(folder, "full.db"), join(folder, "empty")];
    mkdirSync(empty);
    await buildJavaIndex({ folder: repository, output });

    const failing = buildJavaIndex({ folder: empty, output });

    await expect(failing).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining("had some before, found none"),
    });
    using index = openJavaIndex(output);
    expect(index.archives).toBe(6);
    expect(await buildJavaIndex({ folder: empty, output: join(folder, "first.db") })).toMatchObject({ archives: 0 });
  });

  it("replaces a file that is not an index", async () => {
    const output = join(folder, "text.db");
    writeFileSync(output, "text");

    await buildJavaIndex({ folder: join(repository, "damaged"), output }).catch(() => {});
    expect(await buildJavaIndex({ folder: join(folder, "repository"), output })).toMatchObject({ archives: 6 });
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
    ["that is missing", "missing.db", "feed_unreachable"],
    ["that is no index", "repository/other/b.jar", "malformed_feed"],
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
