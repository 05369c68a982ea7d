import { describe, expect, it } from "vitest";
import { compareText } from "../../versions/define-order.ts";
import { cpeVersions } from "./version.ts";

describe("cpeVersions", () => {
  it.each([
    ["1.1.1m", "1.1.1n", -1],
    ["1.1.1", "1.1.1a", -1],
    ["1.1.1z", "1.1.2", -1],
    ["9.2p1", "9.2", 1],
    ["9.2p1", "9.3", -1],
    ["3.0.0-rc1", "3.0.0", -1],
    ["3.0.0-beta2", "3.0.0-rc1", -1],
    ["3.13.0rc2", "3.13.0", -1],
    ["3.13.0rc2", "3.12.9", 1],
    ["1.0_beta", "1.0", -1],
    ["1.10", "1.9", 1],
    ["v1.2.3", "1.2.3", 0],
    ["1.2-3", "1.2.3", 0],
    ["5.2.15(1)", "5.2.15", 1],
    ["9.2:-", "9.2", 0],
    ["1.0^", "1.0", 1],
    ["1.0^", "1.0.1", -1],
    ["1.0^", "1.0a", -1],
    ["1.0arc", "1.0", 1],
  ])("%s against %s: %i", (a, b, order) => {
    expect(compareText(cpeVersions, a, b)).toBe(order);
    expect(compareText(cpeVersions, b, a)).toBe(order === 0 ? 0 : -order);
  });

  it.each(["", "devel", "(devel)", "master-1", "1 2"])("refuses %j", (text) => {
    expect(() => cpeVersions.parse(text)).toThrow(expect.objectContaining({ code: "malformed_version" }));
  });
});
