import { type Json, parseVulnerabilityReportJson } from "@plimsoll/core/report";
import type { VexStatement } from "@plimsoll/core/vex";
import { stateReport } from "@plimsoll/registry/security/stated-scan";
import { describe, expect, it } from "vitest";
import { vulnerabilityReport } from "../fixtures/test-reports.ts";

const report = parseVulnerabilityReportJson(vulnerabilityReport as unknown as Json);
const names = Object.values(report.vulnerabilities).map(({ name }) => name);
const artifact = { id: "1", digest: "sha256:aa", isBySubject: true, tagIds: [] };

function statement(more: Partial<VexStatement> = {}): VexStatement {
  return { vulnerability: names, status: "not_affected", products: [{}], place: "a.json: statements[0]", ...more };
}

function state(read: readonly VexStatement[]) {
  const documents = [{ digest: "sha256:bb", artifact, read }];
  return stateReport(report, { rules: [], documents, digests: ["sha256:cc"] }, { now: 0 });
}

describe("stateReport", () => {
  it("suppresses findings by the statements of documents", async () => {
    expect(await state([statement()])).toMatchObject({ report: { packageVulnerabilities: {} }, problems: [] });
  });

  it("applies no document where they have too many products for the findings, and says so", async () => {
    const products = Array.from({ length: 100_000 }, (_, at) => ({ component: `pkg:npm/p${at}` }));
    const costly = Array.from({ length: 60 }, () => statement({ products }));

    const stated = await state([...costly, statement()]);

    expect(stated.report.packageVulnerabilities).toEqual(report.packageVulnerabilities);
    const message = expect.stringContaining("more than 5000000 products are compared");
    expect(stated.problems).toEqual([{ at: "sha256:cc", code: "attached_vex", message }]);
  });
});
