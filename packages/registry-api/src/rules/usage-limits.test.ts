import { describe, expect, it } from "vitest";
import { severityOf } from "./usage-limits.ts";

describe("severityOf", () => {
  const limits = [
    { type: "Reject", fromBytes: 80 },
    { type: "Warning", fromBytes: 50 },
    { type: "Warning", fromBytes: 100 },
    { type: "Reject", fromBytes: 200 },
    { type: "Warning", fromBytes: 200 },
  ] as const;

  it.each([
    [49, undefined],
    [50, "Warning"],
    [79, "Warning"],
    [80, "Reject"],
    [100, "Warning"],
    [200, "Reject"],
  ])("says to %i bytes %s: the highest that is reached decides", (sizeBytes, severity) => {
    expect(severityOf(limits, sizeBytes)).toBe(severity);
  });
});
