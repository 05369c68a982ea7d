import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const path = "opt/vcpkg/installed/vcpkg/status";
const stanza = (...lines: readonly string[]) => `${lines.join("\n")}\n\n`;

describe("vcpkgDetector", () => {
  it.each([
    [
      "a port",
      stanza("Package: zlib", "Version: 1.3.1", "Architecture: x64-linux", "Status: install ok installed"),
      ["zlib 1.3.1"],
    ],
    [
      "a port with a revision",
      stanza("Package: curl", "Version: 8.5.0", "Port-Version: 2", "Status: install ok installed"),
      ["curl 8.5.0#2"],
    ],
    [
      "a port with features once",
      stanza("Package: curl", "Version: 8.5.0", "Status: install ok installed") +
        stanza("Package: curl", "Feature: ssl", "Architecture: x64-linux", "Status: install ok installed"),
      ["curl 8.5.0"],
    ],
    ["no port that was removed", stanza("Package: a", "Version: 1", "Status: purge ok not-installed"), []],
  ])("finds %s", async (_, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual(expected.map((line) => `${line} (vcpkg) ${path}`));
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["a paragraph without a name", stanza("Version: 1", "Status: install ok installed"), "the name of a port"],
    ["a line that is not a field", stanza("Package: a", "what"), "line 2"],
  ])("makes a problem of %s", async (_, content, message) => {
    expect(listProblems(await indexLayers([[fileOf(path, content)]]))).toEqual([expect.stringContaining(message)]);
  });
});
