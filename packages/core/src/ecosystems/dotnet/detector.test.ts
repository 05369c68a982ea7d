import { makeZip, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const path = "app/shop.deps.json";
const target = (entries: object) => ({ ".NETCoreApp,Version=v8.0/linux-x64": entries });
const json = { runtime: { "lib/net6.0/Newtonsoft.Json.dll": {} } };

describe("dotnetDetector", () => {
  it.each([
    ["a package", { "Newtonsoft.Json/13.0.1": { type: "package" } }, {}, ["Newtonsoft.Json 13.0.1"]],
    [
      "the application and its projects",
      {
        "shop/10.8.9": { type: "project" },
        "shop.data/10.8.9": { type: "project" },
        "lib/1.0.0": { type: "reference" },
      },
      { "shop/10.8.9": { runtime: { "shop.dll": {} } }, "shop.data/10.8.9": { runtime: { "shop.data.dll": {} } } },
      ["shop 10.8.9", "shop.data 10.8.9"],
    ],
    ["no application without a release", { "shop/0.0.0": { type: "project" } }, {}, []],
    [
      "a runtime pack by the name of its package",
      { "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/8.0.1": { type: "runtimepack" } },
      {},
      ["Microsoft.NETCore.App.Runtime.linux-x64 8.0.1"],
    ],
    [
      "packages with files alone",
      {
        "Newtonsoft.Json/13.0.1": { type: "package" },
        "System.Net.Http/4.3.0": { type: "package" },
        "System.IO/4.3.0": { type: "package" },
      },
      {
        "Newtonsoft.Json/13.0.1": json,
        "System.Net.Http/4.3.0": { dependencies: { "System.IO": "4.3.0" } },
        "System.IO/4.3.0": { runtime: { "lib/net6.0/_._": {} } },
      },
      ["Newtonsoft.Json 13.0.1"],
    ],
    [
      "files of one platform",
      { "SQLite/1.0.0-rc.1": { type: "package" } },
      { "SQLite/1.0.0-rc.1": { runtimeTargets: { "runtimes/linux-x64/native/e_sqlite3.so": {} } } },
      ["SQLite 1.0.0-rc.1"],
    ],
    ["no library without a version", { "Newtonsoft.Json": { type: "package" }, "/1": { type: "package" } }, {}, []],
  ])("finds %s", async (_, libraries, entries, expected) => {
    const report = await indexLayers([[fileOf(path, JSON.stringify({ targets: target(entries), libraries }))]]);

    expect(listPackages(report)).toEqual(expected.map((line) => `${line} (nuget) ${path}`));
    expect(report.coverage.status).toBe("complete");
  });

  it.each([
    ["a line", '{ // of the build\n "libraries": { "a//b/1.0.0": { "type": "package" } } }', "a//b 1.0.0"],
    ["its last line", '{ "libraries": { "a/1.0.0": { "type": "package" } } } // the end', "a 1.0.0"],
    ["a string", '{ "n": "\\"/*", /**/ "libraries": { "a/1.0.0": { "type": "package" } } }', "a 1.0.0"],
    ["a part", '{ /* of * / the \n build **/ "libraries": { "a/1.0.0": { "type": "package" } } }', "a 1.0.0"],
  ])("reads a document with a comment in %s", async (_, text, expected) => {
    const report = await indexLayers([[fileOf(path, text)]]);

    expect(listPackages(report)).toEqual([`${expected} (nuget) ${path}`]);
  });

  it("names a document of another case, which .NET does not read", async () => {
    const { coverage } = await indexLayers([[fileOf("app/Shop.Deps.Json", "{}")]]);

    expect(coverage.unassessed).toMatchObject([{ kind: "dotnet", count: 1 }]);
  });

  it("finds the package of a shared runtime", async () => {
    const runtime = "usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.1/Microsoft.NETCore.App.deps.json";
    const key = "Microsoft.NETCore.App.Runtime.linux-x64/8.0.1";
    const files = { [key]: { runtime: { "System.Runtime.dll": {} }, native: { "libcoreclr.so": {} } } };
    const content = JSON.stringify({ targets: target(files), libraries: { [key]: { type: "package" } } });

    const report = await indexLayers([[fileOf(runtime, content)]]);

    expect(listPackages(report)).toEqual([`Microsoft.NETCore.App.Runtime.linux-x64 8.0.1 (nuget) ${runtime}`]);
  });

  it.each([
    ["no JSON", "{", "expected JSON"],
    ["a list", "[]", "expected an object"],
    ["a name that cannot be shown", '{"libraries":{"a\\u0007/1":{"type":"package"}}}', "expected a short word"],
  ])("makes a problem of %s", async (_, content, message) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([]);
    expect(listProblems(report)).toEqual([expect.stringContaining(message)]);
  });
});

describe("nugetFolderDetector", () => {
  const nuspec = "<package><metadata><id>Newtonsoft.Json</id><version>9.0.1</version></metadata></package>";

  it.each([
    [
      "the folder of packages",
      "root/.nuget/packages/newtonsoft.json/9.0.1/newtonsoft.json.nuspec",
      nuspec,
      ["Newtonsoft.Json 9.0.1"],
    ],
    ["a description of another package", "root/.nuget/packages/a/1.0.0/a.nuspec", nuspec, ["a 1.0.0"]],
    ["no description elsewhere", "src/a/1.0.0/a.nuspec", nuspec, []],
  ])("reads %s", async (_, file, content, expected) => {
    const report = await indexLayers([[fileOf(file, content)]]);

    expect(listPackages(report)).toEqual(expected.map((each) => `${each} (nuget) ${file}`));
    expect(report.coverage.status).toBe("complete");
  });
});

describe("nugetArchiveDetector", () => {
  const packed = (id: string, version: string) =>
    makeZip({
      [`${id}.nuspec`]: `<package><metadata>\n<id>${id}</id>\n<version>${version}</version></metadata></package>`,
      "lib/net45/_._": "",
    });
  const folder = "root/.nuget/packages/jquery/3.1.1";
  const [nupkg, nuspec] = [
    fileOf(`${folder}/jquery.3.1.1.nupkg`, packed("jQuery", "3.1.1")),
    fileOf(`${folder}/jquery.nuspec`, "<package><metadata><id>jQuery</id></metadata></package>"),
  ];
  const config = fileOf("srv/web/packages.config", '<packages><package id="jQuery" version="3.1.1" /></packages>');

  it.each<[string, readonly OddMember[], readonly string[], readonly string[]]>([
    [
      "a folder of packages",
      [fileOf("feed/jQuery.3.1.1.nupkg", packed("jQuery", "3.1.1+4f2a"))],
      ["jQuery 3.1.1 (nuget) feed/jQuery.3.1.1.nupkg:jQuery.nuspec"],
      [],
    ],
    ["one beside its unpacked files", [nupkg, nuspec], [`jQuery 3.1.1 (nuget) ${folder}/jquery.nuspec`], []],
    ["one whose unpacked files are gone", [nupkg], [], [`dotnet ${folder}/jquery.3.1.1.nupkg`]],
    ["one without a description", [fileOf("feed/a.nupkg", makeZip({ "a.txt": "" }))], [], ["dotnet feed/a.nupkg"]],
    ["the list of a project alone", [config], [], ["dotnet srv/web/packages.config"]],
    [
      "the list of a project beside other packages",
      [config, fileOf("feed/a.nupkg", packed("a", "1.0.0"))],
      ["a 1.0.0 (nuget) feed/a.nupkg:a.nuspec"],
      ["dotnet srv/web/packages.config"],
    ],
    [
      "the list of a project with its packages",
      [config, fileOf("srv/packages/jQuery.3.1.1/jQuery.3.1.1.nupkg", packed("jQuery", "3.1.1"))],
      ["jQuery 3.1.1 (nuget) srv/packages/jQuery.3.1.1/jQuery.3.1.1.nupkg:jQuery.nuspec"],
      [],
    ],
  ])("reads %s", async (_, members, packages, unassessed) => {
    const report = await indexLayers([members]);

    expect(listPackages(report)).toEqual(packages);
    const { coverage } = report;
    expect(coverage.unassessed.map(({ kind, evidence }) => `${kind} ${evidence[0]?.path}`)).toEqual(unassessed);
    expect(listProblems(report)).toEqual([]);
  });
});
