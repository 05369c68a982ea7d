import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultDatabase, userFolder } from "./user-folders.ts";

const set = { LOCALAPPDATA: "L", APPDATA: "R", XDG_CACHE_HOME: "C", XDG_CONFIG_HOME: "F", XDG_DATA_HOME: "D" };

describe("userFolder", () => {
  it.each([
    { platform: "linux", cache: ".cache", configuration: ".config", data: ".local/share", own: ["C", "F", "D"] },
    { platform: "freebsd", cache: ".cache", configuration: ".config", data: ".local/share", own: ["C", "F", "D"] },
    {
      platform: "darwin",
      cache: "Library/Caches",
      configuration: "Library/Application Support",
      data: "Library/Application Support",
      own: undefined,
    },
    {
      platform: "win32",
      cache: "AppData/Local",
      configuration: "AppData/Roaming",
      data: "AppData/Local",
      own: ["L", "R", "L"],
    },
  ] as const)("is what $platform says, or the user", ({ platform, own, ...usual }) => {
    const kinds = ["cache", "configuration", "data"] as const;
    const atHome = kinds.map((kind) => join("/home/ada", usual[kind], "plimsoll"));

    expect(kinds.map((kind) => userFolder(kind, { HOME: "/home/ada" }, platform))).toEqual(atHome);
    expect(kinds.map((kind) => userFolder(kind, { HOME: "/home/ada", ...set }, platform))).toEqual(
      own?.map((folder) => join(folder, "plimsoll")) ?? atHome,
    );
  });

  it("puts the advisory database into the cache folder", () => {
    expect(defaultDatabase({ XDG_CACHE_HOME: "C" }, "linux")).toBe(join("C", "plimsoll", "plimsoll.db"));
  });
});
