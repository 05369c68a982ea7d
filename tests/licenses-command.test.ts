import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianRelease, dpkgStatus, ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db } = world;

const copyright = (license: string) =>
  `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nLicense: ${license}\n text\n`;
const npm = (name: string, license?: string) => JSON.stringify({ name, version: "1.0.0", license });

async function archiveOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  return folder.write(name, await ociArchive(await buildImage({ layers: [await buildLayer(files)] })));
}

const image = await archiveOf("licensed.tar", {
  "etc/os-release": debianRelease,
  "var/lib/dpkg/status": dpkgStatus("zlib1g 1:1.2.13.dfsg-1", "tool 1.0-1"),
  "usr/share/doc/zlib1g/copyright": copyright("Zlib"),
  "usr/share/doc/tool/copyright": copyright("GPL-3+ or public-domain"),
  "app/node_modules/a/package.json": npm("a", "(MIT OR GPL-3.0-only)"),
});
const unstated = await archiveOf("unstated.tar", {
  "app/node_modules/a/package.json": npm("a", "MIT"),
  "app/node_modules/b/package.json": npm("b"),
});

const twice = await archiveOf("twice.tar", {
  "a/node_modules/x/package.json": npm("x", "MIT"),
  "b/node_modules/x/package.json": npm("x", "GPL-3.0-only"),
});
const long = await archiveOf("long.tar", {
  "a/node_modules/long/package.json": npm("long", `${"MIT AND ISC AND ".repeat(40)}GPL-3.0-only`),
});
const many = await archiveOf("many.tar", {
  "etc/os-release": debianRelease,
  "var/lib/dpkg/status": dpkgStatus("many 1.0-1"),
  "usr/share/doc/many/copyright": [
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
    ...Array.from({ length: 40 }, (_, at) => `Files: ${at}\nLicense: own-${at}`),
    "Files: last\r\nLicense: GPL-3\r\n",
  ].join("\n\n"),
});
const exception = await archiveOf("exception.tar", {
  "a/node_modules/exception/package.json": npm("exception", "GPL-2.0-with-classpath-exception"),
});

const later = await archiveOf("later.tar", {
  "a/node_modules/a/package.json": npm("a", "GPL-2.0-or-later"),
  "a/node_modules/b/package.json": npm("b", "Apache-2.0+"),
});

const licenses = (...words: string[]) => runPlimsoll(["licenses", ...words, "--db", db]);

describe("plimsoll licenses", () => {
  it("lists the licence of each package and the file that states it", async () => {
    const table = await licenses(image);
    const { stdout } = await licenses(image, "-o", "json");

    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(
      /tool +1\.0-1 +GPL-3\.0-or-later OR LicenseRef-public-domain +usr\/share\/doc\/tool\/copyright/,
    );
    expect(table.stdout).toContain("3 packages, 3 of them with a stated licence");
    expect(table.stdout).not.toContain("RULES");
    expect(JSON.parse(stdout)).toMatchObject([
      {
        package: "a",
        license: "MIT OR GPL-3.0-only",
        statements: [{ text: "(MIT OR GPL-3.0-only)", path: "app/node_modules/a/package.json" }],
      },
      { package: "tool" },
      { package: "zlib1g", version: "1:1.2.13.dfsg-1", license: "Zlib" },
    ]);
    expect(stdout).not.toContain("rules");
    const [head = "", row = ""] = (await licenses(many)).stdout.split("\n");
    expect([head.length < 80, row.length > 500]).toEqual([true, true]); // a long cell makes no room in other lines
    const judged = await licenses(image, "--deny-license", "AGPL-*", "-o", "json");
    expect(JSON.parse(judged.stdout)[2]).toMatchObject({ package: "zlib1g", rules: "kept" });
  });

  it.each(["cyclonedx", "cyclonedx-xml", "spdx", "spdx@3.0.1"])(
    "reads them from a bill of materials in %s",
    async (form) => {
      const bill = folder.write("licensed.sbom", (await runPlimsoll(["sbom", image, "-o", form, "--db", db])).stdout);
      const [judged, read] = [
        await licenses(`sbom:${bill}`, "--deny-license", "Zlib"),
        await licenses(`sbom:${bill}`, "-o", "json"),
      ];

      expect([judged.code, judged.stderr]).toEqual([1, expect.stringContaining("not allowed: zlib1g")]);
      expect(
        JSON.parse(read.stdout)
          .map((each: { readonly license: string }) => each.license)
          .sort(),
      ).toEqual(["GPL-3.0-or-later OR LicenseRef-public-domain", "MIT OR GPL-3.0-only", "Zlib"]);
    },
  );

  it.each<[string, string, string[], number, string]>([
    ["no rule", image, [], 0, ""],
    ["a licence denied by its former identifier", image, ["--deny-license", "GPL-3.0+,Zlib"], 1, "zlib1g"],
    ["a misspelt rule", image, ["--deny-license", "GPL3"], 2, "--deny-license: expected an SPDX identifier"],
    ["a licence of several places, of which one is denied", twice, ["--deny-license", "GPL-3.0-only"], 1, "x"],
    ["a denied licence at the end of a long expression", long, ["--deny-license", "GPL-3.0-only"], 1, "long"],
    ["a denied licence after very many others", many, ["--deny-license", "GPL-3.0-only"], 1, "many"],
    [
      "an exception that is allowed",
      exception,
      ["--allow-license", "gpl-2.0-only with Classpath-exception-2.0"],
      0,
      "",
    ],
    ["an exception whose licence alone is allowed", exception, ["--allow-license", "GPL-2.0-only"], 0, ""],
    [
      "another exception than the allowed one",
      exception,
      ["--allow-license", "GPL-2.0-only WITH Bison-exception-2.2"],
      1,
      "exception",
    ],
    ["later versions that may be chosen", later, ["--allow-license", "GPL-3.0-only,Apache-2.0"], 0, ""],
    ["the same version, which may be chosen", later, ["--allow-license", "GPL-2.0,Apache-2.0+"], 0, ""],
    ["an earlier version, which may not be chosen", later, ["--allow-license", "GPL-1.0-only,Apache-2.0"], 1, ": a"],
    ["a denied identifier with later versions", later, ["--deny-license", "GPL-2.0+"], 1, ": a"],
    ["an identifier of which later versions may be used", later, ["--deny-license", "Apache-2.0"], 1, ": b"],
    ["a denied plus", later, ["--deny-license", "Apache-2.0+"], 1, ": b"],
    ["a version of which later ones may be chosen", later, ["--deny-license", "GPL-2.0-only"], 0, ""],
    ["a denied licence", image, ["--deny-license", "Zlib"], 1, "1 package with a licence that is not allowed: zlib1g"],
    ["a denied licence beside one that may be chosen", image, ["--deny-license", "GPL-3.0-only"], 0, ""],
    [
      "a denied licence beside a reference",
      image,
      ["--deny-license", "gpl-3.0-*"],
      3,
      "the licence of 1 package could not be judged",
    ],
    [
      "a denied licence and a reference that is allowed",
      image,
      ["--deny-license", "GPL-3.0-*", "--allow-license", "MIT,Zlib,LicenseRef-public-domain"],
      0,
      "",
    ],
    [
      "a reference that is denied",
      image,
      ["--deny-license", "GPL-3.0-*", "--deny-license", "LicenseRef-*"],
      1,
      "not allowed: tool",
    ],
    [
      "a licence that is not among the allowed",
      image,
      ["--allow-license", "MIT", "--allow-license", "GPL-*"],
      1,
      "not allowed: zlib1g",
    ],
    [
      "no statement",
      unstated,
      ["--deny-license", "GPL-*"],
      3,
      "the licence of 1 package could not be judged: it states none",
    ],
    [
      "no statement, which is allowed",
      unstated,
      ["--deny-license", "GPL-*", "--allow-incomplete"],
      0,
      "could not be judged",
    ],
    [
      "an odd rule",
      image,
      ["--deny-license", "MIT OR ISC"],
      2,
      "expected an SPDX identifier such as GPL-3.0-only or GPL-*, found MIT OR ISC",
    ],
  ])("judges %s", async (_, source, flags, code, message) => {
    const result = await licenses(source, ...flags);

    expect(result.stderr).toContain(message);
    expect(result.code).toBe(code);
  });
});
