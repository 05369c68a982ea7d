import { makeZip, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";
import { manifest, pom } from "./fixtures/make-jar.ts";

const plain = makeZip({ "A.class": "", ...manifest({}) });
const list = (text: string, folder = "app") => fileOf(`${folder}/quarkus-app-dependencies.txt`, text);
const driver = "app/lib/main/org.example.db.driver-42.7.1.jar";
const lines = "org.example.db:driver::jar:42.7.1\nio.example:native:linux-x86_64:jar:1.0\ncom.acme:a.b::jar:2\n";

/** The packages of an image, without their repositories. */
async function packagesIn(...layers: readonly OddMember[][]): Promise<readonly string[]> {
  return listPackages(await indexLayers(layers)).map((line) => line.replace(/ \(maven.*?\)/, ""));
}

describe("withListedCoordinates", () => {
  it.each([
    ["an archive", driver, "org.example.db:driver 42.7.1"],
    ["one with a classifier", "app/lib/boot/io.example.native-1.0-linux-x86_64.jar", "io.example:native 1.0"],
    ["one whose name has a dot", "app/lib/main/com.acme.a.b-2.jar", "com.acme:a.b 2"],
  ])("takes the coordinates of %s from the list", async (_, path, expected) => {
    expect(await packagesIn([list(lines), fileOf(path, plain)])).toEqual([`${expected} ${path}`]);
    expect(await packagesIn([fileOf(path, plain)], [list(lines)])).toEqual([`${expected} ${path}`]);
  });

  it.each<[string, OddMember[][]]>([
    ["no list", [[fileOf(driver, plain)]]],
    ["a list of another folder", [[list(lines, "other"), fileOf(driver, plain)]]],
    ["a list without it", [[list("org.example.db:driver::jar:42.7.2\n"), fileOf(driver, plain)]]],
    ["a list of another form", [[list("org.example.db:driver:42.7.1\n"), fileOf(driver, plain)]]],
    [
      "a list that was deleted",
      [[list(lines), fileOf(driver, plain)], [fileOf("app/.wh.quarkus-app-dependencies.txt", "")]],
    ],
  ])("leaves the group unknown by %s", async (_, layers) => {
    expect(await packagesIn(...layers)).toEqual([`org.example.db.driver 42.7.1 ${driver}`]);
  });

  it("keeps what the list says of an archive that describes itself otherwise", async () => {
    const described = makeZip(pom("org.example", "db.driver", "42.7.1"));

    const report = await indexLayers([[list(lines), fileOf(driver, described)]]);

    expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["org.example:db.driver"]);
    const others = Object.values(report.repositories).filter(({ key }) => key === "other-identity");
    expect(others.map(({ name }) => name)).toEqual([
      "org.example.db:driver 42.7.1 by app/quarkus-app-dependencies.txt",
    ]);
  });
});
