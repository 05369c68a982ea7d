import { describe, expect, it } from "vitest";
import type { FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { fileOf, indexLayers } from "../language/fixtures/index-layers.ts";
import { rpmDetector } from "./detector.ts";
import { buildBdb } from "./fixtures/build-bdb.ts";
import { numbers, packageHeader, text } from "./fixtures/build-header.ts";
import { buildNdb } from "./fixtures/build-ndb.ts";
import { textRecord } from "./fixtures/records-of.ts";

const named = (number: number, name: string, vendor?: string) => ({
  number,
  blob: packageHeader({ name, more: vendor === undefined ? [] : [text(1011, vendor)] }),
});
const packageOf = (name: string, packageDb: string, supplier?: string) => ({
  kind: "package",
  packageDb,
  package: { name, version: "1.0-1", kind: "BINARY" },
  details: { supplier, requires: [] },
});

describe("rpmDetector", () => {
  it.each([
    ["var/lib/rpm/Packages", true],
    ["var/lib/rpm/Packages.db", true],
    ["usr/lib/sysimage/rpm/rpmdb.sqlite", true],
    ["usr/share/rpm/rpmdb.sqlite-wal", true],
    ["var/lib/yum/yumdb/n/0f-nginx-1.20.0-2.amzn2.0.4-x86_64/from_repo", true],
    ["var/lib/yum/yumdb/n/0f-nginx-1.20.0-2.amzn2.0.4-x86_64/reason", false],
    ["var/lib/rpm", false],
    ["var/lib/rpm/rpmdb.sqlite-shm", false],
    ["var/lib/rpm/Packages-wal", false],
    ["home/var/lib/rpm/Packages", false],
  ])("wants %s: %s", (path, wanted) => {
    const file: FileEntry = { path, kind: "file", sizeBytes: 1, mode: 0o644 };

    expect(rpmDetector.wants(file)).toBe(wanted);
  });

  it("finds databases, packages and who made them", () => {
    const path = "var/lib/rpm/Packages";

    const findings = detect({
      [path]: buildBdb([named(1, "bash", "Red Hat, Inc."), named(2, "nodejs", "NodeSource")]),
    });

    expect(findings).toEqual([
      { kind: "database", path },
      { ...packageOf("bash", path, "Red Hat, Inc."), maker: "Red Hat, Inc." },
      { ...packageOf("nodejs", path, "NodeSource"), maker: "NodeSource" },
    ]);
  });

  it("takes a package from an extra of Amazon Linux 2 for one of a third party, with an epoch or without", async () => {
    const place = (name: string) => `var/lib/yum/yumdb/n/0f-${name}-1.0-1-x86_64/from_repo`;
    const record = (number: number, name: string, epoch: number) => {
      const more = [text(1011, "Amazon Linux"), text(1022, "x86_64"), numbers(1003, [epoch])];
      return { number, blob: packageHeader({ name, more }) };
    };
    const database = buildBdb([record(1, "bash", 0), record(2, "nginx", 1), record(3, "redis", 0)]);

    const { repositories, coverage } = await indexLayers([
      [fileOf("etc/os-release", 'ID=amzn\nVERSION_ID="2"\n'), fileOf("var/lib/rpm/Packages", database)],
      [fileOf(place("bash"), "amzn2-core"), fileOf(place("nginx"), "amzn2extra-nginx1")],
      [fileOf(place("redis"), "amzn2extra-redis6\n")],
    ]);

    expect(Object.values(repositories).map(({ name }) => name)).toEqual(["amzn2extra-nginx1", "amzn2extra-redis6"]);
    expect(coverage).toMatchObject({ thirdPartyPackages: 2, problems: [] });
  });

  it("reports an empty database", () => {
    const path = "usr/lib/sysimage/rpm/Packages.db";

    expect(detect({ [path]: buildNdb([]) })).toEqual([{ kind: "database", path }]);
  });

  it("reports a damaged record beside the others, and a file that is not a database", () => {
    const findings = detect({
      "usr/share/rpm/rpmdb.sqlite": new TextEncoder().encode("no database"),
      "var/lib/rpm/Packages.db": buildNdb([textRecord(1, "no header at all"), named(2, "bash")]),
    });

    expect(findings).toEqual([
      { kind: "database", path: "usr/share/rpm/rpmdb.sqlite" },
      {
        kind: "problem",
        path: "usr/share/rpm/rpmdb.sqlite",
        code: "malformed_package_db",
        message: "expected an SQLite, Berkeley DB hash or NDB file, found 11 bytes of something else",
      },
      { kind: "database", path: "var/lib/rpm/Packages.db" },
      {
        kind: "problem",
        path: "var/lib/rpm/Packages.db",
        code: "malformed_package_db",
        message: "record 1: expected 1 to 65535 header entries, found 1852776552",
      },
      packageOf("bash", "var/lib/rpm/Packages.db"),
    ]);
  });

  it("reads a database once if one location is a link to another, and names the real path", () => {
    const real = "usr/lib/sysimage/rpm/Packages";
    const bytes = buildBdb([named(1, "bash")]);

    const findings = rpmDetector.detect(
      layer([
        { path: real, contentPath: real, mode: 0o644, bytes },
        { path: "var/lib/rpm/Packages", contentPath: real, mode: 0o644, bytes },
      ]),
    );

    expect([...findings]).toEqual([{ kind: "database", path: real }, packageOf("bash", real)]);
  });

  it("reads the write-ahead log beside the database, or beside the target of its link", () => {
    const { bytes, wal } = loggedDatabase();
    const real = "usr/lib/sysimage/rpm/rpmdb.sqlite";
    const walFile = { path: `${real}-wal`, contentPath: `${real}-wal`, mode: 0o644, bytes: wal };

    const beside = rpmDetector.detect(layer([{ path: real, contentPath: real, mode: 0o644, bytes }, walFile]));
    const linked = rpmDetector.detect(
      layer([walFile, { path: "var/lib/rpm/rpmdb.sqlite", contentPath: real, mode: 0o644, bytes }]),
    );

    expect([...beside]).toEqual([
      { kind: "database", path: real, log: `${real}-wal` },
      packageOf("zlib", real),
      packageOf("bash", real),
      { ...packageOf("zlib", real), withoutLog: true },
    ]);
    expect([...linked]).toContainEqual(packageOf("bash", real));
  });

  it.each([
    ["keeps the packages of a log that stays", "etc/other", ["bash 1.0-1", "zlib 1.0-1"]],
    ["forgets the packages of a log that a later layer deletes", "var/lib/rpm/.wh.rpmdb.sqlite-wal", ["zlib 1.0-1"]],
  ])("%s", async (_, above, expected) => {
    const { bytes, wal } = loggedDatabase();
    const path = "var/lib/rpm/rpmdb.sqlite";

    const { packages } = await indexLayers([[fileOf(path, bytes), fileOf(`${path}-wal`, wal)], [fileOf(above, "")]]);

    expect(
      Object.values(packages)
        .map(({ name, version }) => `${name} ${version}`)
        .sort(),
    ).toEqual(expected);
  });

  it("reports a log whose database is in another layer, unless it is empty", () => {
    const path = "var/lib/rpm/rpmdb.sqlite-wal";

    expect(detect({ [path]: new Uint8Array(100) })).toEqual([{ kind: "log", path, of: "var/lib/rpm/rpmdb.sqlite" }]);
    expect(detect({ [path]: new Uint8Array(0) })).toEqual([]);
  });
});

/** A database whose write-ahead log has one more package. */
function loggedDatabase() {
  return buildSqlite((database) => {
    const insert = (number: number, name: string) =>
      database.prepare("INSERT INTO Packages VALUES (?, ?)").run(number, named(number, name).blob);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)");
    insert(1, "zlib");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    insert(2, "bash");
  });
}

function detect(contents: Readonly<Record<string, Uint8Array>>) {
  const files = Object.entries(contents).map(([path, bytes]) => ({ path, contentPath: path, mode: 0o644, bytes }));
  return [...rpmDetector.detect(layer(files))];
}

function layer(files: readonly LayerFile[]): LayerFiles {
  return {
    get: (path) => files.find((file) => file.path === path),
    [Symbol.iterator]: () => files[Symbol.iterator](),
  };
}
