import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { JavaCoordinates, PublishedArtifact } from "../../plugins/lookups.ts";
import { findCopied } from "./copied-classes.ts";
import { createJavaDetector } from "./detector.ts";
import { pom } from "./fixtures/make-jar.ts";
import { classDigestsOf } from "./published-as.ts";

/** Classes of a folder; other contents in another version. */
function classesOf(folder: string, version: string, count = 4): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/C${at}.class`, `${version} ${at}`]));
}

const hexOf = (digest: Uint8Array) => [...digest].join();

/** An index of archives by their coordinates. */
function indexOf(archives: Readonly<Record<string, Record<string, string>>>): JavaCoordinates {
  const byDigest = new Map<string, PublishedArtifact[]>();
  for (const [coordinates, content] of Object.entries(archives)) {
    const [group = "", artifact = "", version = ""] = coordinates.split(":");
    for (const digest of classDigestsOf({ path: "a.jar", bytes: makeZip(content) })) {
      const key = hexOf(digest);
      byDigest.set(key, [...(byDigest.get(key) ?? []), { group, artifact, version }]);
    }
  }
  const ofClasses = (digest: Uint8Array) => byDigest.get(hexOf(digest)) ?? [];
  return { state: "1", ofArchive: () => [], groupsOf: () => [], ofClasses };
}

const java = indexOf({
  "org.x:x:1": { ...classesOf("org/x", "1"), ...classesOf("org/x/same", "any") },
  "org.x:x:2": { ...classesOf("org/x", "2"), ...classesOf("org/x/same", "any") },
  "org.api:api:1": classesOf("org/api", "api"),
  "org.other:api-copy:7": classesOf("org/api", "api"),
});

function packagesIn(path: string, content: Record<string, string>): readonly string[] {
  const bytes = makeZip(content);
  return [...createJavaDetector(java).detect({ path, contentPath: path, mode: 0, bytes })].map((each) =>
    each.kind === "package" ? `${each.package.name} ${each.package.version} ${each.packageDb}` : each.kind,
  );
}

describe("findCopied", () => {
  it.each([
    ["a folder that one version has", classesOf("org/x", "2"), ["g:app 3 app.jar", "org.x:x 2 app.jar:org/x"]],
    [
      "folders that have one version in common",
      { ...classesOf("org/x/same", "any"), ...classesOf("org/x", "1") },
      ["g:app 3 app.jar", "org.x:x 1 app.jar:org/x/same"],
    ],
    [
      "a folder that several versions have",
      classesOf("org/x/same", "any"),
      ["g:app 3 app.jar", "org.x:x  app.jar:org/x/same"],
    ],
    ["a folder that several artifacts have", classesOf("org/api", "api"), ["g:app 3 app.jar"]],
    ["changed classes", { ...classesOf("org/x", "2"), "org/x/C0.class": "changed" }, ["g:app 3 app.jar"]],
    ["few classes", classesOf("org/x", "2", 3), ["g:app 3 app.jar"]],
  ])("judges %s in a shaded archive", (_, classes, expected) => {
    expect(packagesIn("app.jar", { ...pom("g", "app", "3"), ...classes })).toEqual(expected);
  });

  it("identifies an archive of the artifact's name by its classes", () => {
    expect(packagesIn("lib/x-2.jar", classesOf("org/x", "2"))).toEqual(["org.x:x 2 lib/x-2.jar"]);
  });

  it("does not list an artifact that is described again", () => {
    expect(packagesIn("x-2.jar", { ...pom("org.x", "x", "2"), ...classesOf("org/x", "2") })).toEqual([
      "org.x:x 2 x-2.jar",
    ]);
  });

  it("finds nothing in an index without such digests", () => {
    expect(findCopied(new Map([["a", new Uint8Array(32)]]), () => [])).toEqual([]);
  });
});
