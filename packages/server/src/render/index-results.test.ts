import type { IndexReport } from "@plimsoll/scanner";
import { describe, expect, it } from "vitest";
import { paletteFor } from "./colour.ts";
import { indexTable } from "./index-results.ts";

function reportOf(...databases: readonly string[]): IndexReport {
  const ids = databases.map((_, index) => String(index));
  const source = { id: "s", name: "a-rather-long-name-of-a-source", version: "2:1.0.0+really0.9-1", kind: "SOURCE" };
  const named = { name: "lib-with-a-rather-long-name-dev", version: "1:1.0.0~rc1+dfsg-1ubuntu1", arch: "amd64" };
  const packages = Object.fromEntries(ids.map((id) => [id, { id, ...named, kind: "BINARY", source }]));
  const environments = Object.fromEntries(
    ids.map((id, index) => [id, [{ packageDb: databases[index], repositoryIds: [] }]]),
  );
  return { packages, environments, repositories: {} } as unknown as IndexReport;
}

describe("indexTable", () => {
  const palette = paletteFor("never", { write: () => true }, {});
  const lines = (report: IndexReport, width?: number) => [...indexTable(report, palette, width)];

  it("fits the terminal, and does not repeat a single database", () => {
    const table = lines(reportOf("var/lib/dpkg/status", "var/lib/dpkg/status"), 80);

    expect(table[0]).toMatch(/^PACKAGE +VERSION +ARCH +SOURCE$/);
    expect(table[1]).toMatch(/^lib-with-a-rather\S*… +1:1\.0\.0~rc1\S* +amd64 +a-rather-long\S*…/);
    expect(Math.max(...table.map((line) => line.length))).toBe(80);
  });

  it("marks packages for development, if there are any", () => {
    const report = reportOf("package-lock.json", "package-lock.json");
    const repositories = { "9": { id: "9", name: "development", key: "scope" } };
    const environments = { ...report.environments, "1": [{ packageDb: "a", repositoryIds: ["9"] }] };
    const table = lines({ ...report, repositories, environments } as unknown as IndexReport);

    expect(table[0]).toContain("SCOPE");
    expect(table.map((line) => line.includes(" development "))).toEqual([false, false, true]);
  });

  it("names several databases, cut to the width of a terminal and in full without one", () => {
    const report = reportOf("var/lib/dpkg/status", "opt/root/var/lib/dpkg/status");

    expect(lines(report, 80)[0]).toContain("DATABASE");
    expect(Math.max(...lines(report, 80).map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines(report)[2]).toMatch(/ opt\/root\/var\/lib\/dpkg\/status$/);
    expect(lines(reportOf("var/lib/dpkg/status"))[1]).toMatch(/ var\/lib\/dpkg\/status$/);
  });
});
