import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { frame, makeAsar } from "./fixtures/make-asar.ts";

const json = (name: string, version: string) => JSON.stringify({ name, version, main: "index.js" });
const path = "opt/app/resources/app.asar";
const debug = { "package.json": json("debug", "4.3.4"), test: { a: { "package.json": json("a", "1.0.0") } } };

async function read(content: Uint8Array, at = path) {
  const report = await indexLayers([[fileOf(at, content)]]);
  const unassessed = report.coverage.unassessed.map(({ kind, evidence }) => `${kind} ${evidence[0]?.path}`);
  return { packages: listPackages(report), problems: listProblems(report), unassessed };
}

describe("asarDetector", () => {
  it("finds the packages of an archive, and the application with them", async () => {
    const archive = makeAsar({
      "package.json": json("app", "1.2.3"),
      node_modules: { debug, "@a": { b: { "package.json": json("@a/b", "1.0.0") } } },
    });

    expect(await read(archive)).toEqual({
      packages: [
        `@a/b 1.0.0 (npm) ${path}:node_modules/@a/b/package.json`,
        `app 1.2.3 (npm) ${path}:package.json`,
        `debug 4.3.4 (npm) ${path}:node_modules/debug/package.json`,
      ],
      problems: [],
      unassessed: [],
    });
  });

  it("finds the packages of an archive that is the folder of packages", async () => {
    const archive = makeAsar({ debug, "@a": { b: { "package.json": json("@a/b", "1.0.0") } } });
    const at = "opt/app/resources/node_modules.asar";

    expect(await read(archive, at)).toEqual({
      packages: [`@a/b 1.0.0 (npm) ${at}:@a/b/package.json`, `debug 4.3.4 (npm) ${at}:debug/package.json`],
      problems: [],
      unassessed: [],
    });
  });

  it("leaves what is unpacked to the folder beside the archive, and follows no links", async () => {
    const unpacked = [{ size: 10, unpacked: true }];
    const archive = makeAsar({
      node_modules: { debug, c: { "package.json": unpacked }, d: [{ link: "node_modules/debug" }] },
    });

    expect((await read(archive)).packages).toEqual([`debug 4.3.4 (npm) ${path}:node_modules/debug/package.json`]);
  });

  it("finds members of a workspace by links in the archive", async () => {
    const archive = makeAsar({
      node_modules: { debug, "@a": { app: [{ link: "packages/app" }] }, gone: [{ link: "packages/none" }] },
      packages: {
        app: { "package.json": json("@a/app", "1.0.0") },
        other: { "package.json": json("other", "1.0.0") },
      },
    });

    expect((await read(archive)).packages).toEqual([
      `@a/app 1.0.0 (npm) ${path}:packages/app/package.json`,
      `debug 4.3.4 (npm) ${path}:node_modules/debug/package.json`,
    ]);
  });

  it("finds an application beside the archive of its packages", async () => {
    const at = "opt/code/resources/app";
    const members = [
      fileOf(`${at}/package.json`, json("code", "1.90.0")),
      fileOf(`${at}/node_modules.asar`, makeAsar({ debug })),
    ];

    expect(listPackages(await indexLayers([members]))).toEqual([
      `code 1.90.0 (npm) ${at}/package.json`,
      `debug 4.3.4 (npm) ${at}/node_modules.asar:debug/package.json`,
    ]);
  });

  it.each([
    ["whose packages are joined into one file", makeAsar({ "package.json": json("app", "1.2.3"), "main.js": "" })],
    ["without files", makeAsar({})],
  ])("counts an archive %s as unassessed", async (_, archive) => {
    expect(await read(archive)).toEqual({ packages: [], problems: [], unassessed: [`npm ${path}`] });
  });

  it.each<[string, Uint8Array, string]>([
    ["is cut off", makeAsar({}).subarray(0, 10), "expected a header"],
    ["is something else", Buffer.alloc(100, 1), "expected the sizes of a header"],
    [
      "states a header that is too large",
      Buffer.from(new Uint32Array([4, 2 ** 31, 2 ** 31 - 4, 2 ** 30]).buffer),
      "expected a header of at most",
    ],
    ["has a header that is no JSON", frame("{"), "expected JSON"],
    ["has a header that is a list", frame("[]"), "expected an object"],
    [
      "has a header with too many levels",
      frame(`{"files":${'{"a":{"files":'.repeat(300)}{}${"}}".repeat(300)}}`),
      "nested more than",
    ],
    [
      "lacks a content",
      makeAsar({ node_modules: { a: { "package.json": [{ size: 9, offset: "99999" }] } } }),
      "expected the content of node_modules/a/package.json",
    ],
  ])("makes a problem of an archive that %s", async (_, archive, message) => {
    const { problems, packages } = await read(archive);

    expect([problems, packages]).toEqual([[expect.stringContaining(message)], []]);
  });

  it("ignores entries that are no files of the archive", async () => {
    const odd = [
      { size: -1, offset: "0" },
      { size: 0.5, offset: "0" },
      { size: 1, offset: "-1" },
      { size: 1 },
      7,
      null,
    ];
    const members = odd.map((entry, index) => [`p${index}`, { "package.json": [entry] }] as const);
    const archive = makeAsar({ node_modules: { ...Object.fromEntries(members), debug, "..": debug } });

    expect(await read(archive)).toMatchObject({ packages: [expect.stringContaining("debug 4.3.4")], problems: [] });
  });

  it("ends where contents overlap so often that they are larger than the archive may unpack to", async () => {
    const content = `{"a":"${"x".repeat(1024 ** 2)}"}`;
    const entry = { size: content.length, offset: "0" };
    const members = Array.from({ length: 120 }, (_, index) => [`p${index}`, { "package.json": [entry] }] as const);
    const { problems } = await read(makeAsar({ "a.txt": content, node_modules: Object.fromEntries(members) }));

    expect(problems).toEqual([expect.stringContaining("(maxRatio)")]);
  });

  it.each(["app.asar.bak", "app-update", "APP.ASAR"])(
    "finds the packages of an archive of the name %s, by its header",
    async (name) => {
      const bytes = makeAsar({
        node_modules: { lodash: { "package.json": '{"name":"lodash","version":"4.17.0"}' } },
        "a.js": "x".repeat(20_000),
      });

      const report = await indexLayers([[fileOf(`opt/app/resources/${name}`, bytes)]]);

      expect(listPackages(report)).toEqual([
        `lodash 4.17.0 (npm) opt/app/resources/${name}:node_modules/lodash/package.json`,
      ]);
      expect(report.coverage.status).toBe("complete");
    },
  );

  it("ignores an archive in the tests of a package", async () => {
    const at = "node_modules/asar/test/input/a.asar";

    expect((await read(makeAsar({ node_modules: { debug } }), at)).packages).toEqual([]);
  });
});
