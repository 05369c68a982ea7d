import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const json = (name: string, version: string) => JSON.stringify({ name, version, main: "index.js" });

describe("npmDetector", () => {
  it.each([
    ["a package", "app/node_modules/debug/package.json", json("debug", "4.3.4"), "debug 4.3.4"],
    ["a scope", "app/node_modules/@babel/core/package.json", json("@babel/core", "7.0.0"), "@babel/core 7.0.0"],
    ["an alias", "app/node_modules/old-debug/package.json", json("debug", "2.6.9"), "debug 2.6.9"],
    ["a package in a package", "node_modules/a/node_modules/b/package.json", json("b", "1.0.0"), "b 1.0.0"],
    ["pnpm's", "node_modules/.pnpm/b@1.0.0/node_modules/b/package.json", json("b", "1.0.0"), "b 1.0.0"],
    ["Debian's", "usr/share/nodejs/semver/package.json", json("semver", "7.3.5"), "semver 7.3.5"],
    ["a byte order mark", "node_modules/b/package.json", `\u{feff}${json("b", "1.0.0")}`, "b 1.0.0"],
    ["a prerelease", "node_modules/b/package.json", json("b", "1.0.0-rc.1"), "b 1.0.0-rc.1"],
  ])("finds %s", async (_, path, content, expected) => {
    expect(listPackages(await indexLayers([[fileOf(path, content)]]))).toEqual([`${expected} (npm) ${path}`]);
  });

  it.each([
    ["beside its node_modules", "app/", json("app", "1.0.0"), ["app 1.0.0 (npm) app/package.json"]],
    ["in the root of the image", "", json("app", "1.0.0"), ["app 1.0.0 (npm) package.json"]],
    ["that is private", "app/", '{"name":"app","version":"1.0.0","private":true}', []],
    ["without a version", "app/", '{"name":"app"}', []],
    ["that cannot be read", "app/", "{{ template }}", []],
  ])("finds an application %s", async (_, folder, content, expected) => {
    const dependency = `${folder}node_modules/debug/package.json`;
    const layers = [[fileOf(`${folder}package.json`, content)], [fileOf(dependency, json("debug", "4.3.4"))]];
    const report = await indexLayers(layers);

    expect(listPackages(report)).toEqual([...expected, `debug 4.3.4 (npm) ${dependency}`]);
    expect(listProblems(report)).toEqual([]);
  });

  it("does not find an application whose dependencies a later layer deletes", async () => {
    const dependency = fileOf("app/node_modules/debug/package.json", json("debug", "4.3.4"));
    const layers = [
      [fileOf("app/package.json", json("app", "1.0.0")), dependency],
      [fileOf("app/.wh.node_modules", "")],
    ];

    expect(listPackages(await indexLayers(layers))).toEqual([]);
  });

  it("finds Yarn 1 of the images of Node.js", async () => {
    const path = "opt/yarn-v1.22.22/package.json";

    expect(listPackages(await indexLayers([[fileOf(path, json("yarn", "1.22.22"))]]))).toEqual([
      `yarn 1.22.22 (npm) ${path}`,
    ]);
  });

  it("finds a package whose author's name is in Latin-1", async () => {
    const content = Buffer.from(JSON.stringify({ name: "b", version: "1.0.0", author: "Ren\u00e9" }), "latin1");
    const report = await indexLayers([[fileOf("node_modules/b/package.json", content)]]);

    expect(listPackages(report)).toEqual(["b 1.0.0 (npm) node_modules/b/package.json"]);
    expect(listProblems(report)).toEqual([]);
  });

  it.each([
    ["a file that sets only the module format", "node_modules/b/esm/package.json", '{"type":"module"}'],
    ["an example in a package", "node_modules/b/test/fixture/package.json", json("c", "1.0.0")],
    ["a package without a version", "node_modules/b/package.json", '{"name":"b"}'],
    ["a project without installed dependencies", "app/package.json", json("app", "1.0.0")],
    ["a project in a package", "node_modules/b/test/app/package.json", json("app", "1.0.0")],
    ["npm's own state", "node_modules/.package-lock.json", "{}"],
    ["a file in a folder of links", "node_modules/.bin/package.json", json("c", "1.0.0")],
  ])("ignores %s", async (_, path, content) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect([listPackages(report), listProblems(report)]).toEqual([[], []]);
  });

  it.each([
    ["no JSON", "{", "expected JSON"],
    ["a list", "[]", "expected an object"],
    ["more than a description", `{"a":"${"x".repeat(4 * 1024 ** 2)}"}`, "expected at most 4194304 bytes"],
    ["a name that cannot be shown", JSON.stringify({ name: "a\u0007", version: "1" }), "expected a short word"],
    ["too many levels", "[".repeat(1_000), "nested more than"],
  ])("makes a problem of %s", async (_, content, message) => {
    const report = await indexLayers([[fileOf("node_modules/b/package.json", content)]]);

    expect(listProblems(report)).toEqual([expect.stringContaining(message)]);
    expect(listProblems(report)).toEqual([expect.stringContaining("malformed_package_db node_modules/b/package.json")]);
  });

  it("distinguishes packages with the same name and version in two languages", async () => {
    const report = await indexLayers([
      [
        fileOf("node_modules/six/package.json", json("six", "1.0.0")),
        fileOf("site-packages/six-1.0.0.dist-info/METADATA", "Name: six\nVersion: 1.0.0\n"),
      ],
    ]);

    expect(Object.keys(report.packages)).toHaveLength(2);
  });

  it.each([
    ["counts a lock file as unassessed if no package is installed", [], [{ kind: "npm", count: 1 }]],
    [
      "does not count a lock file if packages are installed",
      [fileOf("app/node_modules/b/package.json", json("b", "1.0.0"))],
      [],
    ],
  ])("%s", async (_, members, unassessed) => {
    const lock = JSON.stringify({ packages: { "node_modules/b": { version: "1.0.0" } } });
    const { coverage } = await indexLayers([[...members, fileOf("app/package-lock.json", lock)]]);

    expect(coverage.unassessed).toMatchObject(unassessed);
  });
});
