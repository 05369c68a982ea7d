import { describe, expect, it } from "vitest";
import { choosePlatform, formatPlatform, type Platform, parsePlatform, platformMatches } from "./platform.ts";

describe("parsePlatform", () => {
  it.each([
    ["linux/amd64", { os: "linux", architecture: "amd64" }, "linux/amd64"],
    ["linux/x86_64", { os: "linux", architecture: "amd64" }, "linux/amd64"],
    ["linux/amd64/v1", { os: "linux", architecture: "amd64" }, "linux/amd64"],
    ["linux/amd64/v3", { os: "linux", architecture: "amd64", variant: "v3" }, "linux/amd64/v3"],
    ["linux/aarch64", { os: "linux", architecture: "arm64" }, "linux/arm64"],
    ["linux/arm64/v8", { os: "linux", architecture: "arm64" }, "linux/arm64"],
    ["linux/arm64/8.0", { os: "linux", architecture: "arm64" }, "linux/arm64"],
    ["linux/arm64/v9", { os: "linux", architecture: "arm64", variant: "v9" }, "linux/arm64/v9"],
    ["linux/arm", { os: "linux", architecture: "arm", variant: "v7" }, "linux/arm/v7"],
    ["linux/arm/6", { os: "linux", architecture: "arm", variant: "v6" }, "linux/arm/v6"],
    ["linux/armel", { os: "linux", architecture: "arm", variant: "v6" }, "linux/arm/v6"],
    ["Linux/ARMHF", { os: "linux", architecture: "arm", variant: "v7" }, "linux/arm/v7"],
    ["windows/i386", { os: "windows", architecture: "386" }, "windows/386"],
    ["macos/arm64", { os: "darwin", architecture: "arm64" }, "darwin/arm64"],
    ["arm64", { os: "linux", architecture: "arm64" }, "linux/arm64"],
    ["x86_64", { os: "linux", architecture: "amd64" }, "linux/amd64"],
    [" s390x ", { os: "linux", architecture: "s390x" }, "linux/s390x"],
    ["plan9/mips64p32", { os: "plan9", architecture: "mips64p32" }, "plan9/mips64p32"],
  ])("reads %j", (text, platform, formatted) => {
    expect(parsePlatform(text)).toEqual(platform);
    expect(formatPlatform(parsePlatform(text))).toBe(formatted);
  });

  it.each(["", "/", "linux/", "linux", "linux/arm/v7/x", "linux/arm 64", "a/b/\n", "../arm64"])(
    "refuses %j",
    (text) => {
      expect(() => parsePlatform(text)).toThrow(expect.objectContaining({ code: "no_such_platform" }));
    },
  );
});

describe("platformMatches", () => {
  it.each([
    ["linux/arm/v7", "linux/arm/v6", true],
    ["linux/arm/v6", "linux/arm/v7", false],
    ["linux/arm64", "linux/arm64/v8", true],
    ["linux/arm64/v9", "linux/arm64", true],
    ["linux/arm64", "linux/arm64/v9.2", false],
    ["linux/amd64/v3", "linux/amd64", true],
    ["linux/amd64", "linux/amd64/v2", false],
    ["linux/amd64", "linux/386", false],
    ["linux/arm64", "linux/arm/v7", false],
    ["linux/amd64", "windows/amd64", false],
    ["linux/ppc64le/power9", "linux/ppc64le/power9", true],
    ["linux/ppc64le", "linux/ppc64le/power9", false],
  ])("for %s, of an image for %s: %s", (wanted, offered, expected) => {
    expect(platformMatches(parsePlatform(wanted), parsePlatform(offered))).toBe(expected);
  });

  it("looks at the Windows version only where one is wanted", () => {
    const offered = { os: "windows", architecture: "amd64", osVersion: "10.0.17763.5329" };

    expect(platformMatches({ os: "windows", architecture: "amd64" }, offered)).toBe(true);
    expect(platformMatches({ ...offered, osVersion: "10.0.20348.1" }, offered)).toBe(false);
  });
});

describe("choosePlatform", () => {
  interface Offered {
    readonly name: string;
    readonly platform?: Platform;
  }
  const index = (...names: string[]): Offered[] => names.map((name) => ({ name, platform: parsePlatform(name) }));

  it.each([
    ["linux/arm/v7", ["linux/arm/v5", "linux/arm/v6", "linux/arm64"], "linux/arm/v6"],
    ["linux/arm/v7", ["linux/arm/v5", "linux/arm/v6", "linux/arm/v7"], "linux/arm/v7"],
    ["linux/amd64/v4", ["linux/amd64", "linux/amd64/v3", "linux/amd64/v2"], "linux/amd64/v3"],
    ["linux/arm64", ["linux/amd64", "linux/arm64/v8"], "linux/arm64/v8"],
  ])("takes for %s of %j the nearest, %s", (wanted, names, expected) => {
    expect(choosePlatform(index(...names), parsePlatform(wanted)).name).toBe(expected);
  });

  it("takes the first of equals and none without a platform", () => {
    const chosen = choosePlatform([{ name: "none" }, ...index("linux/x86_64", "linux/amd64")], parsePlatform("amd64"));

    expect(chosen.name).toBe("linux/x86_64");
  });

  it("names what there is", () => {
    const choose = () => choosePlatform(index("linux/s390x", "linux/arm/v7"), parsePlatform("amd64"));

    expect(choose).toThrow("expected an image for linux/amd64, found linux/arm/v7, linux/s390x");
    expect(() => choosePlatform([{}], parsePlatform("amd64"))).toThrow("found no platform");
  });
});
