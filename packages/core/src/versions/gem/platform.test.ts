import { describe, expect, it } from "vitest";
import { withoutPlatform } from "./platform.ts";

describe("withoutPlatform", () => {
  it.each([
    ["1.19.3-aarch64-linux-gnu", "1.19.3"],
    ["1.15.0-x86_64-linux", "1.15.0"],
    ["0.6.0-universal-darwin-10", "0.6.0"],
    ["9.4.2.0-java", "9.4.2.0"],
    ["1.2.0-alpha-x86-linux", "1.2.0-alpha"],
    ["1.2.0-alpha", "1.2.0-alpha"],
    ["1.0.0-arm64-darwin-23", "1.0.0"],
    ["1.0.0-armv7-linux", "1.0.0"],
    ["1.0.0-x64-mingw-ucrt", "1.0.0"],
    ["1.0.0-armadillo", "1.0.0-armadillo"],
    ["1.2.0", "1.2.0"],
    ["1.2.0.arm1", "1.2.0.arm1"],
  ])("turns %s into %s", (version, expected) => {
    expect(withoutPlatform(version)).toBe(expected);
  });
});
