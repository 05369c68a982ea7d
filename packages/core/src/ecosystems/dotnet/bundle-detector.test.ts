import { describe, expect, it } from "vitest";
import { buildElf } from "../../programs/fixtures/build-program.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const signature = Buffer.from("8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae", "hex");
const deps = JSON.stringify({
  targets: { net8: { "App/1.0.0": {}, "Newtonsoft.Json/9.0.1": { runtime: { "lib/Newtonsoft.Json.dll": {} } } } },
  libraries: { "Newtonsoft.Json/9.0.1": { type: "package" } },
});

const host = buildElf([{ name: ".text", content: Buffer.alloc(20_000), address: 0x40_0000, isExecutable: true }]);

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);

/** A program with its files after it, as the bundler of a major version writes them. */
function bundle(major: number, { content = deps, offset = host.length } = {}): Buffer {
  const headerAt = host.length + content.length;
  const size = Buffer.byteLength(content);
  const entries = [
    [u64(0), u64(4), Buffer.of(1), text("App.dll")],
    [u64(offset), u64(size), Buffer.of(3), text("App.deps.json")],
  ].flatMap((entry) => (major < 6 ? entry : [...entry.slice(0, 2), u64(0), ...entry.slice(2)]));
  const places = major < 2 ? [] : [u64(offset), u64(size), u64(0), u64(0), u64(0)];
  const header = [u32(major), u32(0), u32(2), text("x".repeat(12)), ...places, ...entries];
  return Buffer.concat([host, Buffer.from(content), ...header, u64(headerAt), signature]);
}

async function indexed(bytes: Uint8Array) {
  const report = await indexLayers([[fileOf("app/App", bytes, 0o755)]]);
  const unassessed = report.coverage.unassessed.map(({ kind, count }) => `${kind} ${count}`);
  return { packages: listPackages(report), problems: listProblems(report), unassessed };
}

describe("bundleDetector", () => {
  it.each([1, 2, 6, 8])("reads the list of packages in a program of major %i", async (major) => {
    expect(await indexed(bundle(major))).toEqual({
      packages: ["Newtonsoft.Json 9.0.1 (nuget) app/App"],
      problems: [],
      unassessed: [],
    });
  });

  it.each([
    ["a program without the list is evidence", bundle(6, { content: "" }), [], ["dotnet 1"]],
    ["a host without files is none", Buffer.concat([host, u64(0), signature]), [], []],
    ["a library that has the signature is none", Buffer.concat([host, Buffer.alloc(8, 0x41), signature]), [], []],
    ["a header elsewhere is none", Buffer.concat([host, u64(2000), signature]), [], []],
    ["a list past the end is a problem", bundle(6, { offset: 2 ** 40 }), [expect.stringContaining("app/App")], []],
    ["a list that is no JSON is a problem", bundle(6, { content: "{" }), [expect.stringContaining("JSON")], []],
  ])("%s", async (_, bytes, problems, unassessed) => {
    expect(await indexed(bytes)).toEqual({ packages: [], problems, unassessed });
  });
});
