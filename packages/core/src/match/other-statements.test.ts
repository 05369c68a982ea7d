import { describe, expect, it } from "vitest";
import type { Advisory } from "../model/advisory.ts";
import { sampleAdvisory } from "./fixtures/samples.ts";
import { otherStatements } from "./other-statements.ts";

const shown = sampleAdvisory("PyPI", "jinja2", { name: "PYSEC-1", aliases: ["CVE-2024-0001"] });
const other = (more: Partial<Advisory>, packageName = "jinja2", ecosystem = "PyPI") =>
  sampleAdvisory(ecosystem, packageName, { name: "GHSA-1", aliases: ["CVE-2024-0001"], updater: "osv", ...more });

describe("otherStatements", () => {
  it.each([
    ["the same vulnerability", other({}), true],
    ["one that is named by its CVE id", other({ name: "CVE-2024-0001", aliases: [] }), true],
    ["another vulnerability", other({ aliases: ["CVE-2024-0002"] }), false],
    ["others as well", other({ aliases: ["CVE-2024-0001", "CVE-2024-0002"] }), false],
    ["another package", other({}, "flask"), false],
    ["another ecosystem", other({}, "jinja2", "debian:12"), false],
    ["what is not affected", other({ status: "not-affected" }), false],
  ])("of an advisory about %s", (_, rule, isOne) => {
    expect(otherStatements([shown], [shown, rule])).toEqual(isOne ? [rule.id] : []);
  });
});
