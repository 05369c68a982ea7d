import { describe, expect, it } from "vitest";
import { sampleAdvisory } from "../../match/fixtures/samples.ts";
import { minorStreamScope } from "./minor-stream.ts";

describe("minorStreamScope", () => {
  it.each([
    ["1.2-3.el8_6.2", ["1.2-3.el8_6.1", "1.2-9.el8"], "other"],
    ["1.2-3.el8_6.1", ["1.2-3.el8_6.1", "1.2-3.el8_6.4", "1.2-9.el8"], "same"],
    ["1.2-3.el8_6.4", ["1.2-3.el8_6.4", "1.2-3.el8_6.1", "1.2-9.el8"], "other"],
    ["1.2-3.el8_4.9", ["1.2-3.el8_6.1", "1.2-9.el8"], "same"],
    ["1.2-8.el8", ["1.2-3.el8_6.1", "1.2-9.el8"], "same"],
  ])("of %s and fixes %j: %s", (version, fixes, kind) => {
    const advisory = sampleAdvisory("rhel:8", "a", { ranges: fixes.map((fixed) => ({ fixed })) });

    expect(minorStreamScope(version, advisory).kind).toBe(kind);
  });
});
