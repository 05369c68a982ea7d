import { describe, expect, it } from "vitest";
import { judgeAudit } from "./audit-rules.ts";

const lock = {
  packages: {
    "node_modules/published": { version: "1.0.0" },
    "node_modules/tool": { version: "1.0.0", dev: true },
    "node_modules/tool/node_modules/both": { version: "1.0.0", dev: true },
    "node_modules/both": { version: "2.0.0" },
  },
};

describe("judgeAudit", () => {
  it.each<[severity: string, nodes: readonly string[], "problems" | "notes"]>([
    ["low", ["node_modules/published"], "problems"],
    ["moderate", ["node_modules/tool"], "notes"],
    ["high", ["node_modules/tool"], "problems"],
    ["critical", ["node_modules/tool"], "problems"],
    ["low", ["node_modules/tool/node_modules/both", "node_modules/both"], "problems"],
    ["low", ["node_modules/unknown"], "problems"],
    ["low", [], "problems"],
  ])("counts a %s vulnerability of %j among the %s", (severity, nodes, kind) => {
    const text = JSON.stringify({ vulnerabilities: { some: { severity, range: "<2", nodes } } });

    const judged = judgeAudit(text, lock);

    expect(judged?.[kind]).toEqual([expect.stringContaining(`some <2: a known vulnerability, ${severity}`)]);
  });

  it.each([
    ["an error", '{"message":"405 Method Not Allowed","statusCode":405}'],
    ["nothing", ""],
    ["a page", "<html>"],
  ])("knows nothing after %s", (_, text) => {
    expect(judgeAudit(text, lock)).toBeUndefined();
  });

  it("has no problem if there is no vulnerability", () => {
    expect(judgeAudit('{"vulnerabilities":{}}', lock)).toEqual({ problems: [], notes: [] });
  });
});
