import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const contents = (folder: string, text = "") => fileOf(`var/db/pkg/${folder}/CONTENTS`, text);
const release = fileOf("etc/os-release", "ID=gentoo\n");

describe("portageDetector", () => {
  it.each([
    ["sys-libs/zlib-1.3", "sys-libs/zlib 1.3"],
    ["app-editors/vim-9.1.0366-r1", "app-editors/vim 9.1.0366-r1"],
    ["dev-libs/openssl-3.0.13_rc1_p2-r10", "dev-libs/openssl 3.0.13_rc1_p2-r10"],
    ["media-libs/font-adobe-100dpi-1.0.4", "media-libs/font-adobe-100dpi 1.0.4"],
    ["x11-libs/gtk+-3.24.41a", "x11-libs/gtk+ 3.24.41a"],
  ])("finds %s", async (folder, expected) => {
    const report = await indexLayers([[release, contents(folder)]]);

    expect(listPackages(report)).toEqual([`${expected} () var/db/pkg/${folder}/CONTENTS`]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it("makes a problem of a folder without a version", async () => {
    expect(listProblems(await indexLayers([[release, contents("sys-libs/zlib")]]))).toEqual([
      expect.stringContaining("expected CATEGORY/NAME-VERSION"),
    ]);
  });

  it("names the owner of a language's package", async () => {
    const metadata = "usr/lib/python3.12/site-packages/six-1.16.0.dist-info/METADATA";
    const list = `dir /usr\nobj /${metadata} d41d8cd98f00b204e9800998ecf8427e 1700000000\n`;

    const report = await indexLayers([
      [release, contents("dev-python/six-1.16.0-r1", list), fileOf(metadata, "Name: six\nVersion: 1.16.0\n")],
    ]);

    expect(listPackages(report)).toContain(`six 1.16.0 (pypi dev-python/six) ${metadata}`);
  });
});
