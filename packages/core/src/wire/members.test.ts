import { describe, expect, it } from "vitest";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, inSlices } from "../model/slices.ts";
import { indexReport, vulnerabilityReport } from "./fixtures/reports.ts";
import { toCoveredIndexReportJson, toCoveredIndexReportJsonInSlices } from "./index-report.ts";
import { convertMap } from "./members.ts";
import { parseVulnerabilityReportJson, parseVulnerabilityReportJsonInSlices } from "./parse-vulnerability-report.ts";
import { toVulnerabilityReportJson, toVulnerabilityReportJsonInSlices } from "./vulnerability-report.ts";

const upper = (map: Readonly<Record<string, string>>) => allAtOnce(convertMap(map, (value) => value.toUpperCase()));

/** A report with many members of all kinds. */
function largeReport(count: number): typeof vulnerabilityReport {
  const ids = Array.from({ length: count }, (_, at) => `${at + 1}`);
  const [known] = Object.values(vulnerabilityReport.vulnerabilities);
  const [found] = Object.values(vulnerabilityReport.packages);
  const each = <Value>(make: (id: string) => Value) => Object.fromEntries(ids.map((id) => [id, make(id)]));
  return {
    ...vulnerabilityReport,
    packages: each((id) => ({ ...(found as NonNullable<typeof found>), id })),
    vulnerabilities: each((id) => ({ ...(known as NonNullable<typeof known>), id, aliases: [`also-${id}`] })),
    packageVulnerabilities: each((id) => [id]),
  };
}

describe("convertMap", () => {
  it.each([
    [{ b: "x", a: "y" }, '{"a":"Y","b":"X"}'],
    [{ z: "1st", 10: "x", 9: "y" }, '{"9":"Y","10":"X","z":"1ST"}'],
    [
      { "01": "a", 1: "b", "-1": "c", 4294967295: "d", 4294967294: "e" },
      '{"1":"B","4294967294":"E","-1":"C","01":"A","4294967295":"D"}',
    ],
    [{}, "{}"],
    [JSON.parse('{"__proto__":"x","a":"y"}'), '{"__proto__":"X","a":"Y"}'],
  ])("converts %j in the order of its keys", (map, expected) => {
    expect(JSON.stringify(upper(map))).toBe(expected);
  });
});

describe("reports as JSON, in slices", () => {
  it("are the same as all at once", async () => {
    const yieldToOthers = () => {};

    expect(JSON.stringify(await toVulnerabilityReportJsonInSlices(vulnerabilityReport, yieldToOthers))).toBe(
      JSON.stringify(toVulnerabilityReportJson(vulnerabilityReport)),
    );
    expect(JSON.stringify(await toCoveredIndexReportJsonInSlices(indexReport, yieldToOthers))).toBe(
      JSON.stringify(toCoveredIndexReportJson(indexReport)),
    );
  });

  it("yield after every few hundred members", async () => {
    const report = largeReport(5_000);
    let yields = 0;

    const json = await toVulnerabilityReportJsonInSlices(report, () => yields++);

    expect(yields).toBeGreaterThanOrEqual((3 * 5_000) / 200);
    expect(json).toEqual(toVulnerabilityReportJson(report));
  });

  it("yield while a report is parsed, and parse the same", async () => {
    const json = toVulnerabilityReportJson(largeReport(5_000)) as unknown as Json;
    let yields = 0;

    const report = await parseVulnerabilityReportJsonInSlices(json, () => yields++);

    expect(yields).toBeGreaterThanOrEqual((3 * 5_000) / 200);
    expect(report).toEqual(parseVulnerabilityReportJson(json));
  });

  it("wait for each yield before they go on", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let steps = 0;
    const running = inSlices(
      convertMap(largeReport(1_000).packages, () => ++steps),
      () => promise,
    );

    const before = steps;
    resolve();
    await running;

    expect([before, steps]).toEqual([200, 1_000]);
  });
});
