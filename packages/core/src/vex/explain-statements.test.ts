import { describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import { advisorySourceOf } from "../match/advisory-source-of.ts";
import { explainReport, formatExplanation } from "../match/explain-report.ts";
import { sampleAdvisory, sampleDistribution, sampleIndexReport, samplePackage } from "../match/fixtures/samples.ts";
import { matchReport } from "../match/match-report.ts";
import { applyStatements } from "./apply-statements.ts";
import { explainStatements } from "./explain-statements.ts";
import type { VexStatement } from "./statement.ts";

const now = Date.UTC(2026, 10, 24);
const report = sampleIndexReport(sampleDistribution("debian 12"), [
  samplePackage("curl 1.0"),
  samplePackage("zlib1g 1.2", { id: "2" }),
]);
const advisories = advisorySourceOf([
  sampleAdvisory("debian:12", "curl", { name: "CVE-2024-0001", updater: "debian" }),
  sampleAdvisory("debian:12", "curl", { name: "GHSA-1", aliases: ["CVE-2024-0001"], updater: "osv" }),
  sampleAdvisory("debian:12", "curl", { name: "DSA-2", aliases: ["CVE-2024-0002", "CVE-2024-0003"] }),
  sampleAdvisory("debian:12", "zlib1g", { name: "CVE-2024-0001", updater: "debian" }),
]);
const engine = { matchers: [debianMatcher], enrichers: [] };

function statement(name: string, more: Partial<VexStatement> = {}): VexStatement {
  return { vulnerability: [name], status: "not_affected", products: [{}], place: "ignore[0]", ...more };
}

async function explain(vulnerability: string, ...statements: readonly VexStatement[]) {
  const explanation = await explainReport(engine, { report, advisories }, { vulnerability });
  return explainStatements(explanation, { digests: [report.manifestDigest], now, report, statements });
}

describe("explainStatements", () => {
  it.each<[string, string, VexStatement, string, readonly string[]]>([
    ["a statement suppresses", "CVE-2024-0001", statement("CVE-2024-0001"), "suppressed", ["suppressed", "suppressed"]],
    [
      "a statement says is fixed",
      "CVE-2024-0001",
      statement("CVE-2024-0001", { status: "fixed" }),
      "suppressed",
      ["suppressed", "suppressed"],
    ],
    [
      "a statement suppresses in one package",
      "CVE-2024-0001",
      statement("CVE-2024-0001", { products: [{ component: "pkg:deb/debian/curl" }] }),
      "affected",
      ["suppressed", "affected"],
    ],
    [
      "an advisory with several CVE ids covers, one of which has a statement",
      "CVE-2024-0002",
      statement("CVE-2024-0002"),
      "affected",
      ["affected"],
    ],
    [
      "a statement says is affected",
      "CVE-2024-0001",
      statement("CVE-2024-0001", { status: "affected" }),
      "affected",
      ["affected", "affected"],
    ],
    [
      "an expired statement suppressed",
      "CVE-2024-0001",
      statement("CVE-2024-0001", { expiresAt: now }),
      "affected",
      ["affected", "affected"],
    ],
  ])("explains a vulnerability that %s", async (_, vulnerability, given, answer, answers) => {
    const explanation = await explain(vulnerability, given);

    expect(explanation.answer).toBe(answer);
    expect(explanation.records.map((record) => record.answer)).toEqual(answers);
  });

  it("says suppressed for exactly the findings that applyStatements suppresses", async () => {
    const products = [{ component: "pkg:deb/debian/curl" }];
    const statements = [statement("CVE-2024-0001", { products }), statement("DSA-2")];
    const whole = await matchReport(engine, report, { advisories });

    const stated = applyStatements(whole, statements, { digests: [], now }).report;
    const explained = [
      ...(await explain("CVE-2024-0001", ...statements)).records,
      ...(await explain("CVE-2024-0003", ...statements)).records,
    ];

    const takenOut = stated.suppressed.map(
      ({ packageId, vulnerabilityId }) => `${packageId} ${whole.vulnerabilities[vulnerabilityId]?.name}`,
    );
    const suppressed = explained.filter(({ answer }) => answer === "suppressed");
    expect(
      suppressed
        .flatMap(({ record, findings }) => findings.map(({ advisory }) => `${record.package.id} ${advisory.name}`))
        .sort(),
    ).toEqual(takenOut.sort());
    expect(takenOut).toHaveLength(2);
  });

  it("names the statement, its author, the reason and the expiry", async () => {
    const why = { justification: "component_not_present", detail: "left\nout", author: "A", expiresAt: now + 1 };
    const expired = statement("GHSA-1", {
      place: "old.json: statements[0]",
      vulnerability: ["CVE-2024-0001"],
      expiresAt: 0,
    });

    const text = formatExplanation(await explain("CVE-2024-0001", statement("CVE-2024-0001", why), expired));

    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        "    statement on CVE-2024-0001 in ignore[0]: not_affected, component_not_present",
        "      by A",
        "      left\\x0aout",
        "      until 2026-11-24T00:00:00.001Z",
        "    statement on CVE-2024-0001 in old.json: statements[0]: not_affected (expired, so it has no effect)",
      ]),
    );
  });
});
