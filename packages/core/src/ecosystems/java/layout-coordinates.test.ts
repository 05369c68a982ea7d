import { describe, expect, it } from "vitest";
import { findCoordinatesBelow, findLayoutCoordinates, placesOf } from "./layout-coordinates.ts";

describe("findLayoutCoordinates", () => {
  it.each([
    ["root/.m2/repository/org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar", "org.lz4:lz4-java:1.8.0"],
    ["root/.m2/repository/a/a/1.0-SNAPSHOT/a-1.0-20230101.123456-1.jar", "a:a:1.0-SNAPSHOT"],
    ["opt/karaf/system/org/ops4j/pax/url/pax-url/2.6/pax-url-2.6-uber.jar", "org.ops4j.pax.url:pax-url:2.6"],
    ["c/v1/https/host/maven2/g/h/a_2.13/1.0/a_2.13-1.0.jar", "g.h:a_2.13:1.0"],
    ["c/modules-2/files-2.1/g.h/a/1.0/0a1b/a-1.0.jar", "g.h:a:1.0"],
    ["root/.ivy2/cache/g.h/a/jars/a-1.0.jar", "g.h:a:1.0"],
    ["root/.ivy2/cache/g.h/a_2.12/bundles/a_2.12-1.0.jar", "g.h:a_2.12:1.0"],
  ])("reads %s", (path, expected) => {
    const { group, artifact, version } = findLayoutCoordinates(path) ?? {};

    expect(`${group}:${artifact}:${version}`).toBe(expected);
  });

  it.each([
    ["another folder than a repository's", "opt/lib/org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar"],
    ["a folder that is only named like a repository", "srv/repository/maven-releases/com/acme/a/1.0/a-1.0.jar"],
    ["a folder that is named like Karaf's", "usr/share/system/jars/a/1.0/a-1.0.jar"],
    ["a repository of Tycho in that of Maven", "root/.m2/repository/p2/osgi/bundle/com.acme/1.0/com.acme-1.0.jar"],
    ["a local repository that is split", "root/.m2/repository/cached/releases/org/x/a/1.0/a-1.0.jar"],
    ["a file of another name", ".m2/repository/org/lz4/lz4-java/1.8.0/app.jar"],
    ["a file of another artifact", ".m2/repository/g/a/1.0/b-1.0.jar"],
    ["a version that goes on", ".m2/repository/g/a/1.0/a-1.01.jar"],
    ["two folders that may be the repository", ".m2/repository/x/https/y/maven2/g/a/1.0/a-1.0.jar"],
    ["no group", ".m2/repository/a/1.0/a-1.0.jar"],
    ["no version", "files-2.1/g/a/a-1.0.jar"],
    ["a file without folders", "a-1.0.jar"],
  ])("reads nothing from %s", (_, path) => {
    expect(findLayoutCoordinates(path)).toBeUndefined();
  });
});

describe("findCoordinatesBelow", () => {
  it.each([
    ["home/repository/g/h/a/1.0/a-1.0.jar", "g.h:a:1.0"],
    ["home/repository/com/acme/a/1.0/a-1.0.jar", "com.acme:a:1.0"],
    ["home/repository/central/com/acme/a/1.0/a-1.0.jar", undefined],
    ["home/repository/x/maven2/g/a/1.0/a-1.0.jar", undefined],
  ])("reads %s", (path, expected) => {
    const found = findCoordinatesBelow(path);

    expect(found && `${found.group}:${found.artifact}:${found.version}`).toBe(expected);
  });
});

describe("placesOf", () => {
  it.each([
    ["opt/com/acme/a/1.0/a-1.0.jar", ["opt.com.acme", "com.acme"]],
    ["opt/lib/a/1.0/a-2.0.jar", []],
    [
      `${"x/".repeat(40)}a/1.0/a-1.0.jar`,
      Array.from({ length: 16 }, (_, at) =>
        Array(16 - at)
          .fill("x")
          .join("."),
      ),
    ],
  ])("lists the groups of %s", (path, expected) => {
    expect(placesOf(path).map(({ group }) => group)).toEqual(expected);
  });
});
