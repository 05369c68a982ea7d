import { describe, expect, it } from "vitest";
import { noProblems } from "./file-problems.ts";
import { bytesOf } from "./fixtures/layer-files.ts";
import { findEsmInfra } from "./ubuntu-pro.ts";

describe("findEsmInfra", () => {
  it.each<[string, string, boolean, number]>([
    ["enabled", '{"services": [{"name": "esm-infra", "status": "enabled"}]}', true, 0],
    [
      "enabled among others",
      '{"services": [null, {"name": "livepatch"}, {"name": "esm-infra", "status": "enabled"}]}',
      true,
      0,
    ],
    ["disabled", '{"services": [{"name": "esm-infra", "status": "disabled"}]}', false, 0],
    ["another service", '{"services": [{"name": "esm-apps", "status": "enabled"}]}', false, 0],
    ["no services", '{"services": []}', false, 0],
    ["no list", '{"services": {"esm-infra": "enabled"}}', false, 1],
    ["null", "null", false, 1],
    ["no JSON", "{", false, 1],
    ["nothing", "", false, 1],
    ["too many bytes", " ".repeat(2 << 20), false, 1],
  ])("knows a status with %s", (_, text, enabled, count) => {
    const problems = noProblems();

    expect(findEsmInfra(bytesOf(text), problems)?.key).toBe(enabled ? "esm-infra" : undefined);
    expect(problems.count).toBe(count);
  });
});
