import type { OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";
import { buildBdb } from "./fixtures/build-bdb.ts";
import { packageHeader } from "./fixtures/build-header.ts";
import { buildNdb } from "./fixtures/build-ndb.ts";

const sqlite = buildSqlite((database) => {
  database.exec("CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)");
  database.prepare("INSERT INTO Packages VALUES (?, ?)").run(1, packageHeader({ name: "by-sqlite" }));
}).bytes;
const empty = buildSqlite((database) => database.exec("CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob)")).bytes;
const ndb = buildNdb([{ number: 1, blob: packageHeader({ name: "by-ndb" }) }]);
const bdb = buildBdb([{ number: 1, blob: packageHeader({ name: "by-bdb" }) }]);

const base = "usr/lib/sysimage/rpm-ostree-base-db";
const [varLib, sysimage, share] = ["var/lib/rpm", "usr/lib/sysimage/rpm", "usr/share/rpm"];
const at = (folder: string, name: string) =>
  fileOf(`${folder}/${name}`, { "rpmdb.sqlite": sqlite, "Packages.db": ndb, Packages: bdb }[name] ?? "");
const macros = (text: string, path = "usr/lib/rpm/macros") => fileOf(path, `# of rpm\n%_usr\t/usr\n${text}\n`);

describe("unusedRpmDatabases", () => {
  it.each<[story: string, layers: readonly OddMember[][], used: string, unused: readonly string[]]>([
    ["the only one", [[at(varLib, "Packages")]], "by-bdb", []],
    [
      "sqlite before ndb",
      [[at(varLib, "rpmdb.sqlite"), at(varLib, "Packages.db")]],
      "by-sqlite",
      [`${varLib}/Packages.db`],
    ],
    ["ndb before Berkeley DB", [[at(varLib, "Packages.db"), at(varLib, "Packages")]], "by-ndb", [`${varLib}/Packages`]],
    [
      "that of the stated backend",
      [[macros("%_db_backend\t\t\tndb"), at(varLib, "rpmdb.sqlite"), at(varLib, "Packages.db")]],
      "by-ndb",
      [`${varLib}/rpmdb.sqlite`],
    ],
    [
      "the first where the stated backend has none",
      [[macros("%_db_backend sqlite"), at(varLib, "Packages.db"), at(varLib, "Packages")]],
      "by-ndb",
      [`${varLib}/Packages`],
    ],
    [
      "that of the newer folder",
      [[at(varLib, "rpmdb.sqlite"), at(sysimage, "Packages.db")]],
      "by-ndb",
      [`${varLib}/rpmdb.sqlite`],
    ],
    [
      "that of the stated folder",
      [[macros("%_dbpath %{_var}/lib/rpm"), at(varLib, "Packages"), at(sysimage, "Packages.db")]],
      "by-bdb",
      [`${sysimage}/Packages.db`],
    ],
    [
      "that of the folder in the file that rpm reads last",
      [
        [macros("%_dbpath /var/lib/rpm"), macros("%_dbpath /usr/share/rpm", "etc/rpm/macros.image")],
        [at(varLib, "Packages"), at(share, "Packages.db")],
      ],
      "by-ndb",
      [`${varLib}/Packages`],
    ],
    [
      "that of the default where a file of macros was deleted",
      [
        [macros("%_dbpath /var/lib/rpm"), at(varLib, "Packages"), at(sysimage, "Packages.db")],
        [fileOf("usr/lib/rpm/.wh.macros", "")],
      ],
      "by-ndb",
      [`${varLib}/Packages`],
    ],
    [
      "that of rpm, and not the copy that rpm-ostree keeps",
      [[at(base, "rpmdb.sqlite"), at(share, "Packages")]],
      "by-bdb",
      [],
    ],
    ["the copy that rpm-ostree keeps, if it is the only one", [[at(base, "rpmdb.sqlite")]], "by-sqlite", []],
    ["the one with packages", [[fileOf(`${varLib}/rpmdb.sqlite`, empty), at(varLib, "Packages")]], "by-bdb", []],
    [
      "the one that is left",
      [[at(varLib, "Packages"), at(sysimage, "Packages.db")], [fileOf("usr/lib/sysimage/.wh.rpm", "")]],
      "by-bdb",
      [],
    ],
    [
      "one, and no copy in another folder",
      [[at("var/lib/rpm.bak", "rpmdb.sqlite"), at("opt/backup", "Packages.db"), at(varLib, "Packages")]],
      "by-bdb",
      ["opt/backup/Packages.db", "var/lib/rpm.bak/rpmdb.sqlite"],
    ],
  ])("uses %s", async (_, layers, used, unused) => {
    const report = await indexLayers(layers);

    expect(listPackages(report).map((line) => line.split(" ")[0])).toEqual([used]);
    const evidence = report.coverage.unassessed.flatMap(({ kind, evidence: paths }) =>
      paths.map(({ path }) => `${kind} ${path}`),
    );
    expect(evidence).toEqual(unused.map((path) => `rpm ${path}`));
    expect(report.coverage.databases.map(({ path }) => path).filter((path) => unused.includes(path))).toEqual([]);
  });
});
