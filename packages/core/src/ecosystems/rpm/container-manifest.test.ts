import { describe, expect, it } from "vitest";
import { indexRecords } from "../../match/index-records.ts";
import { recordPurl } from "../../model/record-purl.ts";
import { fileOf, indexLayers, listProblems } from "../language/fixtures/index-layers.ts";

const release = fileOf("etc/os-release", 'ID=mariner\nVERSION_ID="2.0"\n');
const path = "var/lib/rpmmanifest/container-manifest-2";
const maker = "Microsoft Corporation";
/** A line as `rpm -qa --qf` of the makers prints it. */
const line = (fields: readonly [string, string, string, string, string], vendor = maker) => {
  const [name, evr, arch, epoch, source] = fields;
  return [name, evr, "1653816591", "1653628955", vendor, "(none)", "10855265", arch, epoch, source].join("\t");
};

describe("containerManifestDetector", () => {
  it("finds the packages with their sources, epochs and makers", async () => {
    const report = await indexLayers([
      [
        release,
        fileOf(
          path,
          `${line(["glibc", "2.35-2.cm2", "x86_64", "0", "glibc-2.35-2.cm2.src.rpm"])}
${line(["openssl-libs", "1.1.1k-15.cm2", "x86_64", "1", "openssl-1.1.1k-15.cm2.src.rpm"])}
${line(["gpg-pubkey", "3135ce90-5e6fda74", "(none)", "0", "(none)"], "(none)")}
${line(["dotnet-runtime-6.0", "6.0.8-1.cm2", "x86_64", "0", "dotnet-6.0.8-1.cm2.src.rpm"], "Contoso")}
`,
        ),
      ],
    ]);

    expect(indexRecords(report).map(recordPurl)).toEqual([
      "pkg:rpm/mariner/dotnet-runtime-6.0@6.0.8-1.cm2?arch=x86_64&distro=mariner-2.0&upstream=dotnet-6.0.8-1.cm2.src.rpm",
      "pkg:rpm/mariner/glibc@2.35-2.cm2?arch=x86_64&distro=mariner-2.0",
      "pkg:rpm/mariner/openssl-libs@1.1.1k-15.cm2?arch=x86_64&distro=mariner-2.0&epoch=1&upstream=openssl-1.1.1k-15.cm2.src.rpm",
    ]);
    expect(report.coverage).toMatchObject({ databases: [{ packages: 3 }], unassessed: [] });
    expect(Object.values(report.repositories)).toMatchObject([{ name: "Contoso" }]);
  });

  it.each([
    ["no version", "glibc"],
    ["no release", "glibc\t2.35"],
    ["two releases", "glibc\t2.35-1-2"],
    ["a control character", line(["gl\u0007ibc", "2.35-2.cm2", "x86_64", "0", "(none)"])],
    ["no name", line(["", "2.35-2.cm2", "x86_64", "0", "(none)"])],
  ])("reports a line with %s, and reads the others", async (_, odd) => {
    const rest = line(["zlib", "1.2.11-2.cm2", "x86_64", "0", "zlib-1.2.11-2.cm2.src.rpm"]);
    const report = await indexLayers([[release, fileOf(path, `${odd}\n${rest}\n`)]]);

    expect(listProblems(report)).toEqual([expect.stringContaining("line 1")]);
    expect(indexRecords(report)).toHaveLength(1);
  });

  it("lists nothing of another folder, and nothing that a later layer removed", async () => {
    const list = line(["glibc", "2.35-2.cm2", "x86_64", "0", "(none)"]);
    const report = await indexLayers([
      [release, fileOf(path, list), fileOf(`opt/${path}`, list)],
      [fileOf("var/lib/rpmmanifest/.wh.container-manifest-2", "")],
    ]);

    expect(indexRecords(report)).toEqual([]);
    expect(report.coverage.unassessed).toMatchObject([{ kind: "rpm" }]);
  });
});
