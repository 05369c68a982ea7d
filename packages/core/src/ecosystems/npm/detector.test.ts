import { makeZip, type OddMember } from "@plimsoll/testing";
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
    [
      "that of Yarn with pnpm's layout",
      "node_modules/.store/b-npm-1/package/package.json",
      json("b", "1.0.0"),
      "b 1.0.0",
    ],
    [
      "a package in Deno's cache",
      "deno-dir/npm/packages.example.org/b/1.0.0/package.json",
      json("b", "1.0.0"),
      "b 1.0.0",
    ],
    ["a scope in it", "root/.cache/deno/npm/npm.x.com/@a/b/1.0.0_1/package.json", json("@a/b", "1.0.0"), "@a/b 1.0.0"],
    ["a package in Bun's cache", "root/.bun/install/cache/b@1.0.0@@@1/package.json", json("b", "1.0.0"), "b 1.0.0"],
    ["one of an older Bun", "root/.bun/install/cache/@a/b@1.0.0/package.json", json("@a/b", "1.0.0"), "@a/b 1.0.0"],
    [
      "one of another registry in another folder",
      "bun/@a/b@1.0.0@@npm.x.com@@@1/package.json",
      json("@a/b", "1.0.0"),
      "@a/b 1.0.0",
    ],
    ["that of Volta", "root/.volta/tools/image/yarn/1.22.19/package.json", json("yarn", "1.22.19"), "yarn 1.22.19"],
    ["that of Corepack", "root/.cache/node/corepack/v1/pnpm/8.0.0/package.json", json("pnpm", "8.0.0"), "pnpm 8.0.0"],
    [
      "a package that another contains",
      "node_modules/next/dist/compiled/@a/b/package.json",
      json("@a/b", "1.0.0"),
      "@a/b 1.0.0",
    ],
    ["such a package without a version", "node_modules/next/dist/compiled/ws/package.json", '{"name":"ws"}', "ws "],
    [
      "what Corepack states",
      "opt/c/yarn/4.0.0/.corepack",
      '{"locator":{"name":"yarn","reference":"4.0.0+sha224.1f"}}',
      "yarn 4.0.0",
    ],
    [
      "what Corepack has from an address",
      "opt/c/yarn/x/.corepack",
      '{"locator":{"name":"yarn","reference":"https://x.org/y.tgz"}}',
      "yarn ",
    ],
    ["one in the tests of an application", "app/test/node_modules/b/package.json", json("b", "1.0.0"), "b 1.0.0"],
    [
      "one that a package named like a folder for tests needs",
      "node_modules/test/node_modules/examples/package.json",
      json("examples", "1.0.0"),
      "examples 1.0.0",
    ],
    ["Debian's", "usr/share/nodejs/semver/package.json", json("semver", "7.3.5"), "semver 7.3.5"],
    ["a byte order mark", "node_modules/b/package.json", `\u{feff}${json("b", "1.0.0")}`, "b 1.0.0"],
    ["one without a name, by its folder", "node_modules/@a/b/package.json", '{"version":"1.0.0"}', "@a/b 1.0.0"],
    ["one whose name is no text", "a/node_modules/b/package.json", '{"name":{},"version":"1.0.0"}', "b 1.0.0"],
    ["a prerelease", "node_modules/b/package.json", json("b", "1.0.0-rc.1"), "b 1.0.0-rc.1"],
  ])("finds %s", async (_, path, content, expected) => {
    expect(listPackages(await indexLayers([[fileOf(path, content)]]))).toEqual([`${expected} (npm) ${path}`]);
  });

  it.each([
    ["beside its node_modules", "app/", json("app", "1.0.0"), ["app 1.0.0 (npm) app/package.json"]],
    ["in the root of the image", "", json("app", "1.0.0"), ["app 1.0.0 (npm) package.json"]],
    [
      "that is private",
      "app/",
      '{"name":"app","version":"0.0.0","private":true}',
      ["app 0.0.0 (npm private=true) app/package.json"],
    ],
    [
      "that is an extension of Visual Studio Code",
      "root/.vscode-server/extensions/a.b-1.0.0/",
      '{"name":"async","version":"4.17.1","publisher":"a","engines":{"vscode":"^1.0"}}',
      ["async 4.17.1 (npm private=true) root/.vscode-server/extensions/a.b-1.0.0/package.json"],
    ],
    [
      "with a publisher, for Node.js",
      "app/",
      '{"name":"app","version":"1.0.0","publisher":"a","engines":{"node":"24"}}',
      ["app 1.0.0 (npm) app/package.json"],
    ],
    ["that is private, without a version", "app/", '{"name":"app","private":true}', []],
    ["without a version", "app/", '{"name":"app"}', []],
    ["whose releases get another version", "app/", json("app", "0.0.0-development"), []],
    ["that cannot be read", "app/", "{{ template }}", []],
  ])("finds an application %s", async (_, folder, content, expected) => {
    const dependency = `${folder}node_modules/debug/package.json`;
    const layers = [[fileOf(`${folder}package.json`, content)], [fileOf(dependency, json("debug", "4.3.4"))]];
    const report = await indexLayers(layers);

    expect(listPackages(report)).toEqual([...expected, `debug 4.3.4 (npm) ${dependency}`]);
    expect(listProblems(report)).toEqual([]);
  });

  it("lists a package that does not state its version", async () => {
    const path = "app/node_modules/b/package.json";

    expect(listPackages(await indexLayers([[fileOf(path, '{"name":"b"}')]]))).toEqual([`b  (npm) ${path}`]);
  });

  it.each<[string, string, object, readonly string[]]>([
    ["whose dependencies are in node_modules above", "app/server", { dependencies: { debug: "4" } }, ["shop 1.0.0"]],
    ["half of whose dependencies are", "app/a/b", { dependencies: { debug: "4", "@a/b": "1" } }, ["shop 1.0.0"]],
    ["whose dependencies are others", "app/server", { dependencies: { a: "1", b: "1", debug: "4" } }, []],
    ["whose dependencies are elsewhere", "srv/server", { dependencies: { debug: "4" } }, []],
    ["that needs nothing", "app/server", {}, []],
    ["in a package", "app/node_modules/a/vendor/b/test", { dependencies: { debug: "4" } }, []],
    [
      "that npm starts",
      "app/srv",
      { main: undefined, scripts: { start: "node server.js" }, dependencies: { debug: "4" } },
      ["shop 1.0.0"],
    ],
    ["that is no program", "app/server", { main: undefined, dependencies: { debug: "4" } }, []],
    ["that is an example", "app/examples/server", { dependencies: { debug: "4" } }, []],
  ])("finds a part of a project %s", async (_, folder, more, expected) => {
    const part = JSON.stringify({ name: "shop", version: "1.0.0", main: "index.js", ...more });
    const debug = fileOf("app/node_modules/debug/package.json", json("debug", "4.3.4"));
    const report = await indexLayers([[debug], [fileOf(`${folder}/package.json`, part)]]);

    expect(listPackages(report)).toEqual([
      "debug 4.3.4 (npm) app/node_modules/debug/package.json",
      ...expected.map((each) => `${each} (npm) ${folder}/package.json`),
    ]);
  });

  it("does not find an application whose dependencies a later layer deletes", async () => {
    const dependency = fileOf("app/node_modules/debug/package.json", json("debug", "4.3.4"));
    const layers = [
      [fileOf("app/package.json", json("app", "1.0.0")), dependency],
      [fileOf("app/.wh.node_modules", "")],
    ];

    expect(listPackages(await indexLayers(layers))).toEqual([]);
  });

  const zip = "debug-npm-4.3.4-4513954577-3dbad3f94e.zip";
  const archive = makeZip(
    {
      "node_modules/debug/package.json": json("debug", "4.3.4"),
      "node_modules/debug/test/a/package.json": json("a", "1.0.0"),
    },
    { method: "stored" },
  );
  const pnp = (cache: string) =>
    `"packageLocation": "./",\\\n"packageLocation": "${cache}/${zip}/node_modules/debug/",\\\n`;
  const places = ["", "node_modules/debug/package.json"].join(":");

  it.each<[string, string, readonly OddMember[]]>([
    ["in its folder", "app/.yarn/cache", []],
    ["in a folder of its own", "app/offline", [fileOf("app/.pnp.cjs", pnp("./offline"))]],
    ["of all projects", "root/.yarn/berry/cache", [fileOf("app/.pnp.cjs", pnp("../root/.yarn/berry/cache"))]],
  ])("finds the packages of Yarn's Plug'n'Play and the application, with the cache %s", async (_, cache, members) => {
    const app = fileOf("app/package.json", json("app", "1.0.0"));
    const report = await indexLayers([[app, ...members], [fileOf(`${cache}/${zip}`, archive)]]);

    expect(listPackages(report)).toEqual([
      "app 1.0.0 (npm) app/package.json",
      `debug 4.3.4 (npm) ${cache}/${zip}${places}`,
    ]);
    expect(report.coverage.status).toBe("complete");
  });

  it("counts an archive of Yarn's without a package as unassessed", async () => {
    const path = `app/.yarn/cache/${zip}`;
    const report = await indexLayers([[fileOf(path, makeZip({ a: "" }))]]);

    expect(report.coverage.unassessed).toMatchObject([{ kind: "npm", evidence: [{ path }] }]);
  });

  const core = JSON.stringify({ name: "playwright-core", version: "1.40.0", exports: {} });

  it.each([
    ["an installed Python package", "usr/lib/python3/site-packages/playwright/driver/package/package.json"],
    ["JupyterLab", "usr/local/share/jupyter/labextensions/@a/b/package.json"],
  ])("finds a package that %s bundles", async (_, path) => {
    expect(listPackages(await indexLayers([[fileOf(path, core)]]))).toEqual([`playwright-core 1.40.0 (npm) ${path}`]);
  });

  it("finds a package that a wheel bundles", async () => {
    const members = { "p-1.dist-info/METADATA": "Name: p\nVersion: 1\n", "p/driver/package/package.json": core };

    expect(listPackages(await indexLayers([[fileOf("p.whl", makeZip(members))]]))).toContain(
      "playwright-core 1.40.0 (npm) p.whl:p/driver/package/package.json",
    );
  });

  it.each([
    ["is for a test", "a/tests/b/package.json", core],
    ["is private", "a/b/package.json", JSON.stringify({ name: "b", version: "1.0.0", main: "b.js", private: true })],
    ["no other program can use", "a/b/package.json", JSON.stringify({ name: "b", version: "1.0.0" })],
  ])("ignores a package in a Python package that %s", async (_, path, content) => {
    expect(listPackages(await indexLayers([[fileOf(`usr/lib/python3/site-packages/${path}`, content)]]))).toEqual([]);
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

  const inTests = (folder: string) => `app/node_modules/@x/test/${folder}/node_modules/lodash/package.json`;

  it.each([
    ["a file that sets only the module format", "node_modules/b/esm/package.json", '{"type":"module"}'],
    ["an example in a package", "node_modules/b/test/fixture/package.json", json("c", "1.0.0")],
    ["a private package without a version", "node_modules/b/package.json", '{"name":"b","private":true}'],
    ["a project without installed dependencies", "app/package.json", json("app", "1.0.0")],
    ["a project in a package", "node_modules/b/test/app/package.json", json("app", "1.0.0")],
    ["a package in the fixtures of another", inTests("test/fixtures"), json("lodash", "4.17.20")],
    ["a package in the tests of another", inTests("test"), json("lodash", "4.17.20")],
    ["a package in the test data of another", inTests("testdata"), json("lodash", "4.17.20")],
    ["a package in the fixtures of another's tests", inTests("__tests__/fixtures"), json("lodash", "4.17.20")],
    ["a package in an example of another", inTests("examples/app"), json("lodash", "4.17.20")],
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
