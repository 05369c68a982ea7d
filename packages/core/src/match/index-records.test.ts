import { describe, expect, it } from "vitest";
import type { Environment, IndexReport } from "../model/index-report.ts";
import { sampleDigest, sampleDistribution, sampleIndexReport, samplePackage } from "./fixtures/samples.ts";
import { indexRecords } from "./index-records.ts";

const debian = sampleDistribution("debian 12");
const base = sampleIndexReport(
  debian,
  ["10", "9"].map((id) => samplePackage("curl 8", { id })),
);

function withEnvironments(environments: Record<string, Partial<Environment>[]>): IndexReport {
  const whole = { packageDb: "db", introducedIn: sampleDigest("a"), repositoryIds: [] };
  const filled = Object.entries(environments).map(([id, of]) => [id, of.map((each) => ({ ...whole, ...each }))]);
  return { ...base, environments: Object.fromEntries(filled) };
}

describe("indexRecords", () => {
  it("gives one record per environment, in the order of package ids", () => {
    const report = withEnvironments({ "10": [{ packageDb: "a" }], "9": [{ packageDb: "b" }, { packageDb: "c" }] });

    expect(indexRecords(report).map((record) => [record.package.id, record.packageDb])).toEqual([
      ["9", "b"],
      ["9", "c"],
      ["10", "a"],
    ]);
  });

  it("resolves the release and the repositories", () => {
    const repositories = { "1": { id: "1", name: "main" }, "2": { id: "2", name: "security" } };
    const report = withEnvironments({ "9": [{ distributionId: "1", repositoryIds: ["2", "1", "7"] }] });

    const [record] = indexRecords({ ...report, repositories });

    expect(record?.distribution).toBe(debian);
    expect(record?.repositories).toEqual([repositories["2"], repositories["1"]]);
  });

  it("leaves out a package that was seen nowhere", () => {
    expect(indexRecords(withEnvironments({}))).toEqual([]);
  });
});
