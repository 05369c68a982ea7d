import { describe, expect, it } from "vitest";
import { archUpdater } from "../../feeds/arch/updater.ts";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { advisorySourceOf } from "../../match/advisory-source-of.ts";
import { matchReport } from "../../match/match-report.ts";
import { engineWith, fileOf, indexLayers } from "../language/fixtures/index-layers.ts";

const group = (status: string, fixed: string | null, more: object = {}) => ({
  name: "AVG-1",
  packages: ["curl"],
  affected: "8.4.0-1",
  fixed,
  severity: "High",
  status,
  issues: ["CVE-2024-1"],
  ...more,
});

/** The vulnerabilities of an image with one package, `name -> fixed in`. */
async function found(did: string, version: string, groups: readonly object[]): Promise<readonly string[]> {
  const index = await indexLayers([
    [
      fileOf("etc/os-release", `ID=${did}\nID_LIKE=arch\n`),
      fileOf(`var/lib/pacman/local/curl-${version}/desc`, `%NAME%\ncurl\n\n%VERSION%\n${version}\n`),
    ],
  ]);
  const items = await itemsOf(archUpdater, feedReaderOf({ "": JSON.stringify(groups) }));
  const advisories = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
  const report = await matchReport(engineWith(), index, { advisories: advisorySourceOf(advisories) });
  return Object.values(report.vulnerabilities).map(({ name, fixedInVersion }) => `${name} -> ${fixedInVersion ?? ""}`);
}

describe("archMatcher", () => {
  it.each([
    ["arch", "8.4.0-1", group("Fixed", "8.5.0-1"), ["CVE-2024-1 -> 8.5.0-1"]],
    ["arch", "8.5.0-1", group("Fixed", "8.5.0-1"), []],
    ["arch", "1:0.1-1", group("Fixed", "8.5.0-1"), []],
    ["arch", "8.5.0rc1-1", group("Fixed", "8.5.0-1"), ["CVE-2024-1 -> 8.5.0-1"]],
    ["arch", "9.0-1", group("Vulnerable", null), ["CVE-2024-1 -> "]],
    ["arch", "8.4.0-1", group("Testing", "8.5.0-1"), ["CVE-2024-1 -> 8.5.0-1"]],
    ["arch", "8.4.0-1", group("Not affected", null), []],
    ["arch", "8.4.0-1", group("Unknown", null), []],
    ["arch", "8.4.0-1", group("Fixed", "8.5.0-1", { packages: ["lib32-curl"] }), []],
    ["manjaro", "8.4.0-1", group("Fixed", "8.5.0-1"), []],
  ])("%s with curl %s", async (did, version, one, expected) => {
    expect(await found(did, version, [one])).toEqual(expected);
  });
});
