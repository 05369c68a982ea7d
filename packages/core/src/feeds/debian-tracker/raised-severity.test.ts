import { describe, expect, it } from "vitest";
import { severities } from "../../model/severity.ts";
import { raisedDebianSeverity } from "./raised-severity.ts";

describe("raisedDebianSeverity", () => {
  it("is one level up, and unknown stays unknown", () => {
    expect(severities.map(raisedDebianSeverity)).toEqual(["Unknown", "Low", "Medium", "High", "Critical", "Critical"]);
  });
});
