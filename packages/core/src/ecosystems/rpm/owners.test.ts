import { describe, expect, it } from "vitest";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";
import { buildBdb } from "./fixtures/build-bdb.ts";
import { numbers, packageHeader, text, texts } from "./fixtures/build-header.ts";

const folder = "usr/lib/python3.9/site-packages/six-1.16.0.dist-info";
const release = fileOf("etc/os-release", "ID=rhel\nVERSION_ID=9.4\n");
const metadata = fileOf(`${folder}/METADATA`, "Name: six\nVersion: 1.16.0\n");
const databaseOf = (vendor: string) => {
  const owned = [texts(1118, [`/${folder}/`]), numbers(1116, [0]), texts(1117, ["METADATA"])];
  const blob = packageHeader({ name: "python3-six", more: [text(1011, vendor), ...owned] });
  return fileOf("var/lib/rpm/Packages", buildBdb([{ number: 1, blob }]));
};
const database = databaseOf("Red Hat, Inc.");
const history = buildSqlite((sqlite) => sqlite.exec("create table trans_item (id integer primary key)")).bytes;

describe("rpmOwners", () => {
  it.each([
    ["a database", []],
    ["a database beside the history of dnf 4", [fileOf("var/lib/dnf/history.sqlite", history)]],
    [
      "a database beside the history of dnf 5",
      [fileOf("usr/lib/sysimage/libdnf5/transaction_history.sqlite", history)],
    ],
    ["a database beside a damaged one", [fileOf("usr/lib/sysimage/rpm/rpmdb.sqlite", "damaged")]],
  ])("names the owner of a language's package by %s", async (_, others) => {
    const report = await indexLayers([[release, database, ...others, metadata]]);

    expect(listPackages(report)).toContain(`six 1.16.0 (pypi python3-six) ${folder}/METADATA`);
  });

  it.each([
    ["Red Hat, Inc.", "rhel", 0],
    ["Fedora Project", "rhel", 1], // EPEL
    ["Microsoft Corporation", "rhel", 1],
    ["Fedora Project", "fedora", 0],
    ["CentOS", "centos", 0],
    ["Acme", "centos", 1],
  ])(
    "lets a package of %s in an image of %s own nothing if that is a third party",
    async (vendor, did, thirdParties) => {
      const ofImage = fileOf("etc/os-release", `ID=${did}\nVERSION_ID=8\n`);
      const report = await indexLayers([[databaseOf(vendor)], [ofImage, metadata]]); // in other layers

      expect(report.coverage.thirdPartyPackages).toBe(thirdParties);
      const owner = thirdParties === 0 ? " python3-six" : "";
      expect(listPackages(report)).toContain(`six 1.16.0 (pypi${owner}) ${folder}/METADATA`);
    },
  );
});
