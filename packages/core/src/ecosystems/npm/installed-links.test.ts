import { makeZip, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const json = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, ...more });
const linkOf = (name: string, linkName: string): OddMember => ({ name, type: "2", linkName });
const deleted = (path: string) => fileOf(path.replace(/([^/]+)$/, ".wh.$1"), "");

const description = "app/packages/server/package.json";
const server = fileOf(description, json("express", "1.0.0"));
const link = linkOf("app/node_modules/express", "../packages/server");
const found = "express 1.0.0 (npm) app/packages/server/package.json";

type Layers = readonly (readonly OddMember[])[];

describe("npmDetector.links", () => {
  it.each<[string, Layers, readonly string[]]>([
    ["a member of a workspace", [[server, link]], [found]],
    ["a link before its target", [[link, server]], [found]],
    ["a link above its target", [[server], [link]], [found]],
    ["a link below its target", [[link], [server]], [found]],
    [
      "a member below a folder that is a link",
      [[server, linkOf("usr/src", "../"), linkOf("app/node_modules/express", "/usr/src/app/packages/server")]],
      [found],
    ],
    [
      "a member below a folder that is a link of another layer",
      [[server], [linkOf("srv", "/app/packages")], [linkOf("opt/node_modules/express", "/srv/server")]],
      [found],
    ],
    [
      "a folder of members that a later layer replaces by a link",
      [
        [link, fileOf("new/server/package.json", json("express", "1.0.0"))],
        [deleted("app/packages"), linkOf("app/packages", "/new")],
      ],
      ["express 1.0.0 (npm) new/server/package.json"],
    ],
    [
      "a description that is a link to that of a member",
      [[server], [linkOf("app/node_modules/express/package.json", "../../packages/server/package.json")]],
      [found],
    ],
    [
      "a description that is a link to a file of any name",
      [[fileOf("store/1f", json("express", "1.0.0")), linkOf("app/node_modules/express/package.json", "/store/1f")]],
      ["express 1.0.0 (npm) app/node_modules/express/package.json"],
    ],
    [
      "a member whose description is a link",
      [[link, linkOf(description, "pkg.json"), fileOf("app/packages/server/pkg.json", json("express", "1.0.0"))]],
      [found],
    ],
    [
      "a description that is a link to itself",
      [[server, linkOf("app/node_modules/a/package.json", "package.json")]],
      [],
    ],
    [
      "a folder in node_modules that is no package, to whose content a link leads",
      [
        [
          linkOf("node_modules/express", ".linked/express"),
          fileOf("node_modules/.linked/express/package.json", json("express", "1.0.0")),
          fileOf("node_modules/.linked/other/package.json", json("other", "1.0.0")),
        ],
      ],
      ["express 1.0.0 (npm) node_modules/.linked/express/package.json"],
    ],
    [
      "a link in a folder with links of pnpm",
      [[server, linkOf("app/node_modules/.pnpm/a@1/node_modules/express", "../../../../packages/server")]],
      [found],
    ],
    [
      "a link from the root of the image",
      [[server, linkOf("app/node_modules/express", "/app/packages/server")]],
      [found],
    ],
    ["a global link", [[server, linkOf("usr/lib/node_modules/express", "../../../app/packages/server/")]], [found]],
    ["a link with a scope", [[server, linkOf("app/node_modules/@a/b", "../../packages/server")]], [found]],
    [
      "a folder of packages that is a link, with a scope, and the application beside it",
      [
        [
          fileOf("app/package.json", json("shop", "2.0.0")),
          linkOf("app/node_modules", "../opt/deps"),
          fileOf("opt/deps/@a/b/package.json", json("@a/b", "1.0.0")),
        ],
      ],
      ["@a/b 1.0.0 (npm) opt/deps/@a/b/package.json", "shop 2.0.0 (npm) app/package.json"],
    ],
    ["a folder of a scope that is a link", [[server, linkOf("app/node_modules/@a", "../packages")]], [found]],
    [
      "a link to a link",
      [[server, link], [linkOf("app/packages/web/node_modules/express", "../../../node_modules/express")]],
      [found],
    ],
    [
      "two links to one target",
      [[server, link, linkOf("app/web/node_modules/express", "../../packages/server")]],
      [found],
    ],
    ["a link of the member to itself", [[server, linkOf("app/packages/server/node_modules/express", "..")]], [found]],
    [
      "a link that a later layer replaces with a folder",
      [
        [server, link],
        [
          deleted("app/node_modules/express"),
          fileOf("app/node_modules/express/package.json", json("express", "4.0.0")),
        ],
      ],
      ["express 4.0.0 (npm) app/node_modules/express/package.json"],
    ],
    [
      "a link that a later layer leads elsewhere",
      [[server, link], [linkOf("app/node_modules/express", "../other")]],
      [],
    ],
    ["a link that a later layer deletes", [[server, link], [deleted("app/node_modules/express")]], []],
    ["a target that a later layer deletes", [[server, link], [deleted("app/packages")]], []],
    [
      "a target that a later layer replaces",
      [[server, link], [fileOf(description, json("express", "2.0.0"))]],
      ["express 2.0.0 (npm) app/packages/server/package.json"],
    ],
    ["a link to nothing", [[linkOf("app/node_modules/express", "../packages/none"), server]], []],
    ["a link to itself", [[server, linkOf("app/node_modules/express", "express")]], []],
    ["links in a loop", [[server, linkOf("app/node_modules/a", "b"), linkOf("app/node_modules/b", "a")]], []],
    [
      "a link above the root, which is the root",
      [[server, linkOf("app/node_modules/express", "../../../../app/packages/server")]],
      [found],
    ],
    ["a link of a program", [[server, linkOf("app/node_modules/.bin/express", "../../packages/server")]], []],
    ["a link that is not in node_modules", [[server, linkOf("app/express", "packages/server")]], []],
    [
      "a member that is private",
      [[link, fileOf(description, json("express", "1.0.0", { private: true }))]],
      ["express 1.0.0 (npm private=true) app/packages/server/package.json"],
    ],
    [
      "a member without a version",
      [[link, fileOf(description, '{"name":"express"}')]],
      ["express  (npm) app/packages/server/package.json"],
    ],
    [
      "a package in a folder of tests of a package",
      [[fileOf("node_modules/a/test/b/package.json", json("b", "1.0.0")), linkOf("node_modules/b", "a/test/b")]],
      [],
    ],
  ])("reads %s", async (_, layers, expected) => {
    const report = await indexLayers(layers);

    expect(listPackages(report)).toEqual(expected);
    expect(listProblems(report)).toEqual([]);
  });

  it.each([
    [
      "node_modules is a link",
      linkOf("app/node_modules", "/deps/node_modules"),
      fileOf("deps/node_modules/debug/package.json", json("debug", "4.3.4")),
      "debug 4.3.4 (npm) deps/node_modules/debug/package.json",
    ],
    ["its only dependency is a link", link, server, found],
  ])("finds an application whose %s", async (_, ...[first, second, expected]) => {
    const app = fileOf("app/package.json", json("app", "1.0.0"));

    expect(listPackages(await indexLayers([[app, second], [first]]))).toEqual([
      "app 1.0.0 (npm) app/package.json",
      expected,
    ]);
  });
});

describe("descriptions behind links", () => {
  const description = "app/node_modules/express/package.json";
  const content = (version: string) => fileOf("store/1f", json("express", version));
  const alias = linkOf(description, "/store/1f");
  const unread = `unread_link ${description}: expected to read store/1f, to which this link leads, found it in another layer: put the file in the place of the link`;

  it.each<[string, Layers, readonly string[], readonly string[]]>([
    ["the link above its file", [[content("1.0.0")], [alias]], [], [unread]],
    ["the link below its file", [[alias], [content("1.0.0")]], [], [unread]],
    ["a file that is replaced", [[content("1.0.0"), alias], [content("2.0.0")]], [], [unread]],
    ["a file that is deleted", [[content("1.0.0"), alias], [deleted("store/1f")]], [], []],
    ["a link that is deleted", [[content("1.0.0"), alias], [deleted(description)]], [], []],
    ["a link to nothing", [[alias]], [], []],
    [
      "both written again",
      [
        [content("1.0.0"), alias],
        [content("2.0.0"), alias],
      ],
      [`express 2.0.0 (npm) ${description}`],
      [],
    ],
  ])("are read, or said to be unread: %s", async (_, layers, packages, problems) => {
    const report = await indexLayers(layers);

    expect([listPackages(report), listProblems(report)]).toEqual([packages, problems]);
    expect(report.coverage.status).toBe(problems.length > 0 ? "partial" : "complete");
  });

  it("are not read in layers that can be read only once, if the file is not kept", async () => {
    const report = await indexLayers([[content("1.0.0"), alias]], undefined, { isStream: true });

    expect(listProblems(report)).toEqual([`not_found ${description}: links to store/1f, which was not kept`]);
  });
});

describe("descriptions that are hard links to files of lower layers", () => {
  const description = "app/node_modules/express/package.json";
  const hardLinkOf = (name: string, linkName: string): OddMember => ({ name, type: "1", linkName });
  const content = (path: string) => fileOf(path, json("express", "1.0.0"));
  const [store, own] = ["store/1f", "srv/node_modules/express/package.json"];
  const [stored, installed] = [content(store), content(own)];
  const toStored = hardLinkOf(description, store);
  const toInstalled = hardLinkOf(description, own);
  const found = `express 1.0.0 (npm) ${own}`;
  const unread = `unread_link ${description}: expected to read store/1f, to which this link leads, found it in another layer: put the file in the place of the link`;
  const gone = (path: string) =>
    `unread_link ${description}: expected to read ${path}, to which this hard link leads, found it in no lower layer of the finished image`;

  it.each<[string, Layers, readonly string[], readonly string[]]>([
    ["one that is read at its own path", [[installed], [toInstalled]], [found], []],
    [
      "one that is read at its own path through links",
      [[installed], [hardLinkOf("a", own), hardLinkOf(description, "a")]],
      [found],
      [],
    ],
    ["one that is not read", [[stored], [toStored]], [], [unread]],
    ["one that is deleted later", [[installed], [toInstalled], [deleted(own)]], [], [gone(own)]],
    ["one that is replaced later", [[stored], [toStored], [stored]], [], [gone(store)]],
    ["one that is deleted with the link", [[installed], [toInstalled], [deleted("srv"), deleted("app")]], [], []],
    ["nothing", [[toStored]], [], [gone(store)]],
    [
      "a file of the same layer that comes later",
      [[toInstalled, installed]],
      [`express 1.0.0 (npm) ${description}`, found],
      [],
    ],
    [
      "a file of the same layer that the link replaces",
      [[toStored, content(description)]],
      [`express 1.0.0 (npm) ${description}`],
      [],
    ],
  ])("are read, or said to be unread: %s", async (_, layers, packages, problems) => {
    const report = await indexLayers(layers);

    expect([listPackages(report), listProblems(report)]).toEqual([packages, problems]);
    expect(report.coverage.status).toBe(problems.length > 0 ? "partial" : "complete");
  });
});

const place = (folder: string) => `"packageLocation": "${folder}"`;
const unplugged = ".yarn/unplugged/debug-npm-4.3.4-45/node_modules/debug/";
const archived = "./.yarn/cache/debug-npm-4.3.4-4513954577-3dbad3f94e.zip/node_modules/debug/";

describe("yarnPnpDetector", () => {
  it.each<[string, string, readonly string[]]>([
    ["a member", ".pnp.cjs", [place("./packages/server/"), place(archived)]],
    ["a member of a project whose data are apart", ".pnp.data.json", [place("./packages/server/"), place(archived)]],
    ["a member of a project elsewhere", "w/.pnp.cjs", [place("../app/packages/server/"), place(`.${archived}`)]],
    [
      "a member that has peers",
      ".pnp.cjs",
      [
        place("./.yarn/__virtual__/e-1f/1/packages/server/"),
        place(archived.replace("/cache", "/__virtual__/d-2a/0/cache")),
      ],
    ],
    [
      "a member that is listed after a thousand packages",
      ".pnp.cjs",
      [
        ...Array.from({ length: 1000 }, (_, at) => place(archived.replace("4.3.4", `4.3.4-${at}`))).reverse(),
        ...[place(archived), place("./packages/server/")],
      ].slice(1),
    ],
  ])("finds %s", async (_, file, places) => {
    const folder = file.includes("/") ? "" : "app/";
    const archive = makeZip({ "node_modules/debug/package.json": json("debug", "4.3.4") });
    const cached = `${folder}${archived.slice(2).split("/node_modules")[0]}`;
    const members = [fileOf(folder + file, places.join(",\n")), fileOf(cached, archive)];

    expect(listPackages(await indexLayers([[server], members]))).toEqual([
      `debug 4.3.4 (npm) ${cached}:node_modules/debug/package.json`,
      found,
    ]);
    expect(listPackages(await indexLayers([[server, ...members], [deleted(folder + file)]]))).not.toContain(found);
    expect(listPackages(await indexLayers([[server, ...members], [deleted(cached)]]))).not.toContain(found);
  });

  it("finds a member of a project whose packages are all unpacked", async () => {
    const members = [
      fileOf("app/.pnp.cjs", [place("./packages/server/"), place(`./${unplugged}`)].join(",\n")),
      fileOf(`app/${unplugged}package.json`, json("debug", "4.3.4")),
    ];

    expect(listPackages(await indexLayers([[server], members]))).toContain(found);
  });

  it("does not take what Yarn has unpacked as a member", async () => {
    const members = [
      fileOf("app/.pnp.cjs", place(`./${unplugged}`)),
      fileOf(`app/${unplugged}package.json`, json("debug", "4.3.4")),
    ];

    expect(listPackages(await indexLayers([members]))).toEqual([`debug 4.3.4 (npm) app/${unplugged}package.json`]);
  });
});
