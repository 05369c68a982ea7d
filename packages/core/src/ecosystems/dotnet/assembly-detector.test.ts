import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { type BuiltAssembly, buildAssembly } from "./fixtures/build-assembly.ts";

const json = (libraries: object, files: object) =>
  JSON.stringify({ targets: { ".NETCoreApp,Version=v8.0": files }, libraries });

/** The packages of an image with one file, without their repository. */
async function packagesIn(path: string, assembly: BuiltAssembly): Promise<readonly string[]> {
  const report = await indexLayers([[fileOf(path, buildAssembly(assembly))]]);
  return listPackages(report).map((line) => line.replace(` (nuget) ${path}`, ""));
}

describe("assemblyDetector", () => {
  it.each<readonly [string, BuiltAssembly, string]>([
    ["its identity", { name: "Acme.Core", version: "1.2.3.0" }, "Acme.Core 1.2.3"],
    ["an identity of 64 bits", { name: "Acme", version: "1.2.3.4", isWide: true }, "Acme 1.2.3.4"],
    ["large heaps", { name: "Acme", version: "1.2.3.0", isLarge: true }, "Acme 1.2.3"],
    [
      "an identity after other tables",
      // 1 row of Module, 3 of TypeRef, 2 of TypeDef
      { name: "Acme", version: "2.0.1.0", before: { rows: { 0: 1, 1: 3, 2: 2 }, bytes: 10 + 3 * 6 + 2 * 14 } },
      "Acme 2.0.1",
    ],
    [
      "an identity after tables whose rows need wide indexes",
      // the parent of a MemberRef has 4 bytes from 8,192 rows of TypeSpec on
      { name: "Acme", before: { rows: { 10: 2, 27: 8192 }, bytes: 2 * 8 + 8192 * 2 } },
      "Acme 1.0.0",
    ],
    [
      "the product's version",
      { name: "Acme", version: "2.0.0.0", texts: { FileVersion: "2.9.0.0", ProductVersion: "2.9.1-beta.2+0a1b" } },
      "Acme 2.9.1-beta.2",
    ],
    [
      "the file's version if the product's is invalid",
      { name: "Acme", texts: { ProductVersion: "2.0.8.0-.NET 4.5", FileVersion: "2.0.8.0" } },
      "Acme 2.0.8",
    ],
    [
      "the identity if the resource has no version",
      { name: "Acme", version: "3.1.0.0", texts: { CompanyName: "Acme", ProductVersion: "three" } },
      "Acme 3.1.0",
    ],
    ["the version before a remark", { texts: { ProductVersion: "4.6.26515.6 @BuiltBy: x" } }, "a 4.6.26515.6"],
    ["a release of Microsoft's builds", { texts: { ProductVersion: "2.2.0-rtm-35687" } }, "a 2.2.0"],
    ["no version if all are 0", { version: "0.0.0.0", texts: { FileVersion: "0.0.0.0" } }, "a "],
  ])("lists an assembly by %s", async (_, assembly, expected) => {
    expect(await packagesIn("app/A.DLL", assembly)).toEqual([expected]);
  });

  it.each<readonly [string, string, BuiltAssembly]>([
    ["a native library", "app/a.dll", { isNative: true, texts: { ProductVersion: "1.0" } }],
    ["the texts of a language", "app/de/a.resources.dll", { culture: "de" }],
    ["a part of an assembly", "app/a.dll", { isModule: true }],
    ["a reference assembly", "usr/share/dotnet/packs/Microsoft.NETCore.App.Ref/8.0.1/ref/net8.0/System.dll", {}],
    ["another file", "app/a.dll.config", {}],
  ])("ignores %s", async (_, path, assembly) => {
    const report = await indexLayers([[fileOf(path, buildAssembly(assembly))]]);

    expect([listPackages(report), listProblems(report), report.coverage.unassessed]).toEqual([[], [], []]);
  });

  it.each([
    ["not a program", "text"],
    ["empty", ""],
    ["a program for DOS", `MZ${"\0".repeat(200)}`],
    ["its first bytes alone", "MZ"],
  ])("ignores a file that is %s", async (_, content) => {
    const report = await indexLayers([[fileOf("app/a.dll", content)]]);

    expect([listPackages(report), listProblems(report)]).toEqual([[], []]);
  });

  it.each([
    ["is truncated", (file: Buffer) => file.subarray(0, 300), "expected"],
    ["has no metadata", (file: Buffer) => Buffer.from(file.fill(0, 0x1100, 0x1110)), 'expected "BSJB"'],
    [
      "has metadata past its end",
      (file: Buffer) => Buffer.from(file.fill(0xff, 0x1008, 0x100c)),
      "expected a section with address 4294967295",
    ],
    [
      "claims tables of many rows",
      (file: Buffer) => Buffer.from(file.fill(0xff, file.indexOf("BSJB") + 64 + 24, file.indexOf("BSJB") + 64 + 28)),
      "expected",
    ],
  ])("makes a problem of an assembly that %s", async (_, damage, message) => {
    const bytes = damage(buildAssembly({ before: { rows: { 6: 1 }, bytes: 14 } }));
    const report = await indexLayers([[fileOf("app/a.dll", bytes)]]);

    expect(listPackages(report)).toEqual([]);
    expect(listProblems(report)).toEqual([expect.stringContaining(message)]);
  });
});

describe("assemblies beside deps.json", () => {
  const newtonsoft = buildAssembly({ name: "Newtonsoft.Json", texts: { ProductVersion: "13.0.1" } });
  const plugin = buildAssembly({ name: "Plugin", version: "4.5.6.0" });
  const shop = json(
    { "shop/1.0.0": { type: "project" }, "Newtonsoft.Json/13.0.1": { type: "package" } },
    {
      "shop/1.0.0": { runtime: { "shop.dll": {} } },
      "Newtonsoft.Json/13.0.1": {
        runtime: { "lib/net6.0/Newtonsoft.Json.dll": {} },
        runtimeTargets: { "runtimes/unix/lib/net6.0/Native.dll": {} },
      },
    },
  );

  it("are listed once if it lists them, and as separate packages if it does not", async () => {
    const report = await indexLayers([
      [
        fileOf("app/shop.deps.json", shop),
        fileOf("app/shop.dll", buildAssembly({ name: "shop" })),
        fileOf("app/Newtonsoft.Json.dll", newtonsoft),
        fileOf("app/runtimes/unix/lib/net6.0/Native.dll", buildAssembly({ name: "Native" })),
        fileOf("app/Plugin.dll", plugin),
        fileOf("app/plugins/Newtonsoft.Json.dll", newtonsoft),
      ],
    ]);

    expect(listPackages(report)).toEqual([
      "Newtonsoft.Json 13.0.1 (nuget) app/plugins/Newtonsoft.Json.dll",
      "Newtonsoft.Json 13.0.1 (nuget) app/shop.deps.json",
      "Plugin 4.5.6 (nuget) app/Plugin.dll",
      "shop 1.0.0 (nuget) app/shop.deps.json",
    ]);
  });

  it.each([
    ["a reference", "Newtonsoft.Json.Reference/13.0.0.0", "reference"],
    ["a reference assembly", "Newtonsoft.Json/13.0.0.0", "referenceassembly"],
    ["a project without a release", "Newtonsoft.Json/0.0.0", "project"],
    ["a library of another kind", "Newtonsoft.Json/13.0.1", "other"],
  ])("are packages of their own if it names them as the file of %s", async (_, key, type) => {
    const document = json({ [key]: { type } }, { [key]: { runtime: { "Newtonsoft.Json.dll": {} } } });

    const report = await indexLayers([
      [fileOf("app/shop.deps.json", document), fileOf("app/Newtonsoft.Json.dll", newtonsoft)],
    ]);

    expect(listPackages(report)).toEqual(["Newtonsoft.Json 13.0.1 (nuget) app/Newtonsoft.Json.dll"]);
  });

  it("are listed as separate packages if a later layer removes it", async () => {
    const report = await indexLayers([
      [fileOf("app/shop.deps.json", shop)],
      [fileOf("app/Newtonsoft.Json.dll", newtonsoft)],
      [fileOf("app/.wh.shop.deps.json", "")],
    ]);

    expect(listPackages(report)).toEqual(["Newtonsoft.Json 13.0.1 (nuget) app/Newtonsoft.Json.dll"]);
  });
});

describe("shared frameworks", () => {
  const folder = "usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.1";
  const core = fileOf(`${folder}/System.Private.CoreLib.dll`, buildAssembly({ name: "System.Private.CoreLib" }));
  const json_ = fileOf(`${folder}/System.Text.Json.dll`, buildAssembly({ name: "System.Text.Json" }));

  it("are one package each, by their folder, if their deps.json is missing", async () => {
    const report = await indexLayers([[core, json_]]);

    expect(listPackages(report)).toEqual([`Microsoft.NETCore.App 8.0.1 (nuget) ${folder}/System.Private.CoreLib.dll`]);
  });

  it("are the package that their deps.json lists", async () => {
    const pack = "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/8.0.1";
    const listed = json(
      { [pack]: { type: "runtimepack" } },
      { [pack]: { runtime: { "System.Private.CoreLib.dll": {}, "System.Text.Json.dll": {} } } },
    );
    const report = await indexLayers([[core, json_, fileOf(`${folder}/Microsoft.NETCore.App.deps.json`, listed)]]);

    expect(listPackages(report)).toEqual([
      `Microsoft.NETCore.App.Runtime.linux-x64 8.0.1 (nuget) ${folder}/Microsoft.NETCore.App.deps.json`,
    ]);
  });
});
