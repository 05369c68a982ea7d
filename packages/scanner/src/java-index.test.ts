import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildJavaIndex, openJavaIndex } from "@plimsoll/indexer";
import { buildTar, makeZip } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findJavaIndex, updateJavaIndex } from "./java-index.ts";

let folder = "";
let database: Uint8Array;
let empty: Uint8Array;
const jar = makeZip({ "A.class": "lz4" });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "java-index-feed-"));
  const jars = join(folder, "repository/org/lz4/lz4-java/1.8.0");
  mkdirSync(jars, { recursive: true });
  writeFileSync(join(jars, "lz4-java-1.8.0.jar"), jar);
  await buildJavaIndex({ folder: join(folder, "repository"), output: join(folder, "built.db") });
  database = readFileSync(join(folder, "built.db"));
  mkdirSync(join(folder, "none"));
  await buildJavaIndex({ folder: join(folder, "none"), output: join(folder, "empty.db") });
  empty = readFileSync(join(folder, "empty.db"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Updates an index of that name from a file with these bytes. */
async function update(name: string, bytes: Uint8Array, now = 1) {
  const [location, file] = [join(folder, `${name}.source`), join(folder, `${name}.db`)];
  writeFileSync(location, bytes);
  return { location, file, result: await updateJavaIndex({ location, file, clock: { now: () => now } }) };
}

function groupsIn(file: string): readonly string[] {
  using index = openJavaIndex(file);
  return index.ofArchive(jar).map(({ group }) => group);
}

const metadata = { name: "metadata.json", content: "{}" };

describe("updateJavaIndex", () => {
  it.each([
    ["a database", () => database],
    ["a compressed database", () => gzipSync(database)],
    ["a database in an archive", () => buildTar(metadata, { name: "trivy-java.db", content: database })],
    ["a database in a compressed archive", () => gzipSync(buildTar({ name: "./x.db", content: database }, metadata))],
  ])("takes %s", async (name, bytes) => {
    const { file, location, result } = await update(name, bytes(), 7);

    expect(result).toEqual({ kind: "updated", sizeBytes: database.length, archives: 1 });
    expect(groupsIn(file)).toEqual(["org.lz4"]);
    const source = { location, validator: expect.any(String), changedAt: 7, checkedAt: 7 };
    expect(await findJavaIndex(file)).toEqual({ file, sizeBytes: database.length, archives: 1, source });
  });

  it("fetches an unchanged source once", async () => {
    await update("again", database, 1);

    const { file, result } = await update("again", database, 2);

    expect(result.kind).toBe("unchanged");
    expect((await findJavaIndex(file))?.source).toMatchObject({ changedAt: 1, checkedAt: 2 });
  });

  it.each([
    ["an archive without a database", () => buildTar(metadata), "malformed_feed", "expected an SQLite database"],
    ["a truncated file", () => gzipSync(database).subarray(0, 300), "malformed_feed", "unexpected end of file"],
    [
      "a damaged compressed file",
      () => Buffer.from([0x1f, 0x8b, ...Buffer.from("damaged".repeat(9))]),
      "malformed_feed",
      "kept.source",
    ],
    [
      "a truncated archive",
      () => buildTar({ name: "x.db", content: database }).subarray(0, 3000),
      "malformed_feed",
      "tar archive ends",
    ],
    ["another database", () => database.slice(0, 100), "malformed_feed", "the Java index"],
    ["an index without archives", () => empty, "malformed_feed", "had some before, found none"],
    ["another file", () => new TextEncoder().encode("x".repeat(600)), "malformed_feed", "kept.source"],
    ["a short text", () => new TextEncoder().encode("abc"), "malformed_feed", "expected an SQLite database"],
    ["an empty file", () => new Uint8Array(), "malformed_feed", "expected an SQLite database"],
  ])("refuses %s, and keeps the earlier index", async (_, bytes, code, message) => {
    const { file } = await update("kept", database);

    await expect(update("kept", bytes())).rejects.toMatchObject({ code, message: expect.stringContaining(message) });

    expect(groupsIn(file)).toEqual(["org.lz4"]);
    expect(existsSync(`${file}.unfinished`)).toBe(false);
  });

  it("takes an index without archives if there was none", async () => {
    const { result } = await update("first", empty);

    expect(result).toMatchObject({ kind: "updated", archives: 0 });
  });

  it.each([
    ["archives", "repository", "build an index of the archives in it with db java-index build"],
    ["an index", "cache", "cache is a folder: name the index in it: "],
  ])("refuses a folder with %s", async (_, name, message) => {
    mkdirSync(join(folder, "cache"), { recursive: true });
    writeFileSync(join(folder, "cache/trivy-java.db"), database);
    const location = join(folder, name);

    const failing = updateJavaIndex({ location, file: join(folder, "f.db"), clock: { now: () => 1 } });

    await expect(failing).rejects.toThrow(message);
  });
});

describe("findJavaIndex", () => {
  it("finds nothing where no file is, and no source of a file that was copied", async () => {
    const file = join(folder, "built.db");

    expect([await findJavaIndex(join(folder, "none.db")), await findJavaIndex(file)]).toEqual([
      undefined,
      { file, sizeBytes: database.length, archives: 1 },
    ]);
  });
});
