import { describe, expect, it } from "vitest";
import { parseManifest } from "./manifest.ts";
import { findPathCoordinates, parsePomProperties } from "./pom-properties.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("parseManifest", () => {
  it.each([
    ["attributes", "A: 1\r\nB: 2\r\n", { a: "1", b: "2" }],
    ["values over several lines", "A: one\n  two\n three\nB: 2\n", { a: "one twothree", b: "2" }],
    ["names case-insensitively, the first of equal ones", "Aa: 1\naA: 2\n", { aa: "1" }],
    ["the main section alone", "A: 1\n\nName: x/\nB: 2\n", { a: "1" }],
    ["colons in values", "A: b:c\n", { a: "b:c" }],
    ["nothing in other bytes", "\0\0\0", {}],
    ["a last line without an end", "A: 1\nB: 2", { a: "1", b: "2" }],
  ])("reads %s", (_, text, expected) => {
    expect(Object.fromEntries(parseManifest(bytesOf(text)))).toEqual(expected);
  });
});

describe("coordinatesOfPath", () => {
  it.each([
    ["META-INF/maven/org.slf4j/slf4j-api/pom.properties", "org.slf4j", "slf4j-api"],
    ["META-INF/maven/org.slf4j/slf4j-api/pom.xml", "org.slf4j", "slf4j-api"],
    ["WEB-INF/classes/META-INF/maven/com.example/app/pom.properties", "com.example", "app"],
  ])("reads %s", (path, group, artifact) => {
    expect(findPathCoordinates(path)).toEqual({ group, artifact, version: "" });
  });

  it.each([
    "META-INF/maven/plugin.xml",
    "META-INF/maven/a/pom.properties",
    "META-INF/maven/a b/c/pom.xml",
    "x/pom.properties",
  ])("ignores %s", (path) => {
    expect(findPathCoordinates(path)).toBeUndefined();
  });
});

describe("parsePomProperties", () => {
  const ofPath = { group: "g.path", artifact: "a-path", version: "" };

  it.each([
    ["version=1.0\ngroupId=g\nartifactId=a\n", { group: "g", artifact: "a", version: "1.0" }],
    ["#comment\r\nversion = 1.0\r\ngroupId: g\r\nartifactId=a\r\n", { group: "g", artifact: "a", version: "1.0" }],
    ["version=1.0\\-rc\ngroupId=g\nartifactId=a\n", { group: "g", artifact: "a", version: "1.0-rc" }],
    ["version=1\\u002e0\\u002Bx\ngroupId=g\nartifactId=a\n", { group: "g", artifact: "a", version: "1.0+x" }],
    ["version 1.0\ngroupId\tg\nartifactId \t= a\n", { group: "g", artifact: "a", version: "1.0" }],
    ["version  1.0\ngroupIds g\nartifactIdx=a\n", { group: "g.path", artifact: "a-path", version: "1.0" }],
    ["version=1.0\n", { group: "g.path", artifact: "a-path", version: "1.0" }],
    ["version=${v}\ngroupId=${g}\nartifactId=a\n", { group: "g.path", artifact: "a-path", version: "" }],
    ["", ofPath],
  ])("reads %j", (text, expected) => {
    expect(parsePomProperties(bytesOf(text), ofPath)).toEqual(expected);
  });
});
