import { describe, expect, it } from "vitest";
import { sampleAdvisory } from "../../match/fixtures/samples.ts";
import { indexRecords } from "../../match/index-records.ts";
import { matchRecords } from "../../match/match-records.ts";
import { recordPurl } from "../../model/record-purl.ts";
import { allEcosystems } from "../all.ts";
import { fileOf, indexLayers } from "../language/fixtures/index-layers.ts";

const matchers = allEcosystems.flatMap((ecosystem) => ecosystem.matchers);
const installed = (name: string, version: string, more: object = {}) =>
  fileOf(`opt/conda/conda-meta/${name}-${version}-0.json`, JSON.stringify({ name, version, ...more }));
const site = "opt/conda/lib/python3.11/site-packages";
const dist = (name: string, version: string) =>
  fileOf(
    `${site}/${name}-${version}.dist-info/METADATA`,
    `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
  );

describe("condaDetector", () => {
  it.each([
    ["https://conda.anaconda.org/conda-forge/linux-64", "conda-forge"],
    ["https://conda.anaconda.org/t/tk-123/acme/noarch", "acme"],
    ["https://repo.anaconda.com/pkgs/main/linux-aarch64", "pkgs%2Fmain"],
    ["https://conda.anaconda.org/conda-forge/label/dev", "conda-forge%2Flabel%2Fdev"],
    ["pkgs/main", "pkgs%2Fmain"],
  ])("writes the channel %s into the package URL as %s", async (channel, expected) => {
    const report = await indexLayers([[installed("a", "1.0", { channel, build: "h5eee18b_0", subdir: "linux-64" })]]);

    expect(indexRecords(report).map(recordPurl)).toEqual([
      `pkg:conda/a@1.0?build=h5eee18b_0&channel=${expected}&subdir=linux-64`,
    ]);
  });

  it.each<[string, readonly Parameters<typeof indexLayers>[0][number][number][], readonly string[]]>([
    ["a Python package", [installed("pyyaml", "6.0"), dist("PyYAML", "6.0")], ["PyPI pyyaml"]],
    ["a Python package that pip has upgraded", [installed("a", "1.0"), dist("a", "1.1")], ["PyPI a", "conda a"]],
    ["a package of another language", [installed("openssl", "3.2.1"), dist("a", "1.1")], ["PyPI a", "conda openssl"]],
    [
      "a package of R",
      [
        installed("r-rlang", "1.0_6"),
        fileOf("opt/conda/lib/R/library/rlang/DESCRIPTION", "Package: rlang\nVersion: 1.0-6\n"),
      ],
      ["CRAN rlang"],
    ],
  ])("is looked up once: %s", async (_, files, expected) => {
    const records = indexRecords(await indexLayers([files]));

    const keys = records.flatMap((record) =>
      matchers.flatMap((matcher) => (matcher.accepts(record) ? matcher.keys(record) : [])),
    );

    expect(keys.map(({ ecosystem, name }) => `${ecosystem} ${name.toLowerCase()}`).sort()).toEqual(expected);
  });

  it("gives one finding for a Python package, and leaves nothing undecided", async () => {
    const records = indexRecords(await indexLayers([[installed("numpy", "1.26.4"), dist("numpy", "1.26.4")]]));
    const advisories = ["PyPI", "conda"].map((ecosystem) => sampleAdvisory(ecosystem, "numpy"));

    const { affected, undecidedRecords } = matchRecords(matchers, { records, advisories });

    expect(affected.map(({ record }) => record.packageDb)).toEqual([`${site}/numpy-1.26.4.dist-info/METADATA`]);
    expect(undecidedRecords).toEqual([]);
  });
});
