import { describe, expect, it } from "vitest";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

/** The database of a cache of Conan 2.34. */
function databaseOf(...rows: readonly (readonly [reference: string, path: string])[]): Uint8Array {
  return buildSqlite((database) => {
    database.exec(`create table packages (reference text not null, rrev text not null, pkgid text, prev text,
      path text not null unique, timestamp real not null, build_id text, lru integer not null,
      unique(reference, rrev, pkgid, prev))`);
    const insert = database.prepare(
      "insert into packages values (?, 'b58c', ?, '21a8', ?, 1795965655.03, null, 1795965655)",
    );
    for (const [reference, path] of rows) insert.run(reference, path, path);
  }).bytes;
}

const cache = "root/.conan2/p";
const info = (folder: string) =>
  fileOf(`${cache}/${folder}/conaninfo.txt`, "[settings]\nos=Linux\n[requires]\nzlib/1.Y.Z\n");

describe("conanCacheDetector", () => {
  it("names the packages of folders by the database", async () => {
    const database = databaseOf(
      ["zlib/1.2.13", "b/zlibca6e91f4c4c7b"],
      ["png/1.6.37@acme/stable", "pnga2b578a199f58"],
      ["removed/1.0", "b/remov00000000000"],
    );

    const report = await indexLayers([
      [
        fileOf(`${cache}/cache.sqlite3`, database),
        info("b/zlibca6e91f4c4c7b/p"),
        info("b/zlibca6e91f4c4c7b/b"),
        info("pnga2b578a199f58/p"),
      ],
    ]);

    expect(listPackages(report)).toEqual([
      `png 1.6.37 (conan channel=stable&user=acme) ${cache}/pnga2b578a199f58/p/conaninfo.txt`,
      `zlib 1.2.13 (conan) ${cache}/b/zlibca6e91f4c4c7b/p/conaninfo.txt`,
    ]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it("makes a problem of a damaged database, whose packages remain unassessed", async () => {
    const report = await indexLayers([[fileOf(`${cache}/cache.sqlite3`, "SQLite"), info("b/zliba/p")]]);

    expect(listProblems(report)).toEqual([expect.stringContaining(`malformed_package_db ${cache}/cache.sqlite3`)]);
    expect(report.coverage.unassessed).toMatchObject([{ kind: "cpp", count: 1 }]);
  });
});
