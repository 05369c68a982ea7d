import { describe, expect, it } from "vitest";
import { noProblems } from "./file-problems.ts";
import { bytesOf } from "./fixtures/layer-files.ts";
import { findEsm } from "./ubuntu-pro.ts";

describe("findEsm", () => {
  it.each<[string, string, readonly string[], number]>([
    ["enabled", '{"services": [{"name": "esm-infra", "status": "enabled"}]}', ["esm-infra"], 0],
    [
      "enabled among others",
      '{"services": [null, {"name": "livepatch"}, {"name": "esm-infra", "status": "enabled"}]}',
      ["esm-infra"],
      0,
    ],
    ["disabled", '{"services": [{"name": "esm-infra", "status": "disabled"}]}', [], 0],
    ["another stream", '{"services": [{"name": "esm-apps", "status": "enabled"}]}', ["esm-apps"], 0],
    ["no services", '{"services": []}', [], 0],
    ["no list", '{"services": {"esm-infra": "enabled"}}', [], 1],
    ["null", "null", [], 1],
    ["no JSON", "{", [], 1],
    ["nothing", "", [], 1],
    ["too many bytes", " ".repeat(2 << 20), [], 1],
  ])("reads a status with %s", (_, text, enabled, count) => {
    const problems = noProblems();

    expect(findEsm(bytesOf(text), problems).map(({ key }) => key)).toEqual(enabled);
    expect(problems.count).toBe(count);
  });
});
