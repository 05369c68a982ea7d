import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { goProgram } from "../ecosystems/go/fixtures/go-program.ts";
import { pom } from "../ecosystems/java/fixtures/make-jar.ts";
import {
  engineWith,
  fileOf,
  indexLayers,
  listPackages,
  listProblems,
} from "../ecosystems/language/fixtures/index-layers.ts";
import { makeAsar } from "../ecosystems/npm/fixtures/make-asar.ts";

const lines = ["path\ta.example/app", "mod\ta.example/app\tv1.0.0\t", "dep\tgolang.org/x/net\tv0.7.0\th1:a="];
const metadata = (name: string) => ({ [`${name}-1.dist-info/METADATA`]: `Name: ${name}\nVersion: 1\n` });
const wheel = makeZip(metadata("a"));

/** An archive in so many archives. */
function nested(depth: number, innermost: Uint8Array): Uint8Array {
  return depth === 0 ? innermost : nested(depth - 1, makeZip({ "b.whl": innermost }, { method: "stored" }));
}

async function read(bytes: Uint8Array) {
  const report = await indexLayers([[fileOf("a.whl", bytes)]]);
  return { packages: listPackages(report).map((each) => each.replace(/ \(.*/, "")), problems: listProblems(report) };
}

/** Changes an entry of the directory, whose CRC is at 16 bytes and whose type and permissions are at 40. */
function changeEntry(archive: Uint8Array, name: string, change: (view: DataView, at: number) => void): Uint8Array {
  const bytes = Uint8Array.from(archive);
  change(new DataView(bytes.buffer), Buffer.from(bytes).lastIndexOf(name) - 46);
  return bytes;
}

describe("openArchive", () => {
  it.each(["stored", "deflated"] as const)("finds the modules of a program that is %s", async (method) => {
    const members = { "a/bin/app": goProgram({ lines }), "a/large.txt": "x".repeat(100_000), ...metadata("a") };

    expect(await read(makeZip(members, { method }))).toEqual({
      packages: ["a 1", "a.example/app v1.0.0", "golang.org/x/net v0.7.0", "stdlib 1.22.1"],
      problems: [],
    });
  });

  const jar = (members: Record<string, string | Uint8Array>) => makeZip({ ...pom("g", "own", "1"), ...members });
  const lodash = '{"name":"lodash","version":"4.17.0"}';
  const asar = makeAsar({ node_modules: { lodash: { "package.json": lodash } } });
  const bom =
    '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","name":"l","version":"1","purl":"pkg:npm/l@1"}]}';
  const go = ["a.example/app v1.0.0", "golang.org/x/net v0.7.0", "stdlib 1.22.1"];

  it.each([
    ["npm", jar({ "web/node_modules/lodash/package.json": lodash }), ["lodash 4.17.0"]],
    ["npm in an archive of Electron", jar({ "app.asar": asar }), ["lodash 4.17.0"]],
    ["Python", jar({ "Lib/site-packages/a-1.dist-info/METADATA": "Name: a\nVersion: 1\n" }), ["a 1"]],
    ["Python in a wheel", jar({ "py/a.whl": wheel }), ["a 1"]],
    ["Ruby", jar({ "specifications/rack-2.0.1.gemspec": 's.name = "rack"\ns.version = "2.0.1"\n' }), ["rack 2.0.1"]],
    ["Go", jar({ "native/linux/tool": goProgram({ lines }) }), go],
    ["a bill of materials", jar({ "META-INF/sbom/application.cdx.json": bom }), ["l 1"]],
    [
      "npm in a nested archive",
      jar({ "lib/b.jar": jar({ "node_modules/lodash/package.json": lodash }) }),
      ["g:own 1", "lodash 4.17.0"],
    ],
  ])("finds packages of another language in a Java archive: %s", async (_, bytes, expected) => {
    const report = await indexLayers([[fileOf("opt/a.jar", bytes)]]);

    expect(listPackages(report).map((each) => each.replace(/ \(.*/, ""))).toEqual(["g:own 1", ...expected].sort());
    expect(listProblems(report)).toEqual([]);
  });

  it("reads a large member, and checks it", async () => {
    const large = Buffer.concat([Buffer.from("Name: b\nVersion: 1\n\n"), Buffer.alloc(9 * 1024 ** 2)]);
    const whole = makeZip({ "b-1.dist-info/METADATA": large });
    const changed = changeEntry(whole, "b-1.dist-info", (view, at) => view.setUint32(at + 16, 1, true));

    expect(await read(whole)).toEqual({ packages: ["b 1"], problems: [] });
    expect(await read(changed)).toEqual({ packages: [], problems: [expect.stringContaining("does not have the CRC")] });
  });

  it("passes over folders and symbolic links", async () => {
    const modes = { "b-1.dist-info/METADATA": 0o120777 };

    expect(await read(makeZip({ "c-1.dist-info/": "", ...metadata("b"), ...metadata("a") }, { modes }))).toEqual({
      packages: ["a 1"],
      problems: [],
    });
  });

  it.each([
    [
      "archives in archives",
      makeZip({ ...metadata("own"), "b.whl": nested(40, wheel) }),
      "more than 16 nested archives",
    ],
    [
      "jars in archives in archives",
      makeZip({ ...metadata("own"), "b.whl": nested(14, makeZip({ "c.jar": makeZip({ "d.jar": makeZip({}) }) })) }),
      "more than 16 nested archives",
      ["c ", "own 1"],
    ],
    [
      "bytes for its size",
      makeZip({ ...metadata("own"), "b-1.dist-info/METADATA": Buffer.alloc(70 * 1024 ** 2) }),
      "bytes of content (maxRatio)",
    ],
  ])(
    "ends with one problem, and keeps what was found, in an archive with too many %s",
    async (_, bytes, message, expected = ["own 1"]) => {
      const { packages, problems } = await read(bytes);

      expect(packages).toEqual(expected);
      expect(problems).toEqual([expect.stringMatching(/^memory_limit a\.whl: a\.whl: not read to its end/)]);
      expect(problems).toEqual([expect.stringContaining(message)]);
    },
  );

  it("counts the findings in archives like others", async () => {
    const many = Object.assign({}, ...Array.from({ length: 20 }, (_, at) => metadata(`p${at}`)));

    await expect(indexLayers([[fileOf("a.whl", makeZip(many))]], engineWith({ maxFindings: 10 }))).rejects.toThrow(
      "maxFindings",
    );
  });

  it("does not read a member above the limit of a file, but the others", async () => {
    const bytes = makeZip({ "b-1.dist-info/METADATA": `Name: b\n${"x".repeat(9000)}`, ...metadata("a") });
    const report = await indexLayers([[fileOf("a.whl", bytes)]], engineWith({ maxFileBytes: 5000 }));

    expect(listProblems(report)).toEqual([expect.stringContaining("expected at most 5000 bytes, found 9008")]);
    expect(listPackages(report)).toHaveLength(1);
  });
});
