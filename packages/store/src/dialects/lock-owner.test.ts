import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hasEnded, newLockOwner, parseLockOwner } from "./lock-owner.ts";

const owner = newLockOwner(0);
const { pid: endedProcess } = spawnSync(process.execPath, ["--version"]);

describe("hasEnded", () => {
  it.each([
    ["this process", owner, false],
    ["a process that has ended", { ...owner, processId: endedProcess }, true],
    ["an earlier process of the same id", { ...owner, processStart: "1" }, process.platform === "linux"],
    ["a process of another machine", { ...owner, machine: "other", processId: endedProcess }, false],
  ])("tells of %s", (_, given, expected) => {
    expect(hasEnded(given)).toBe(expected);
  });
});

describe("parseLockOwner", () => {
  it("reads what was written, and takes nothing from the rows of earlier releases", () => {
    expect(parseLockOwner(JSON.stringify(owner))).toEqual(owner);
    expect(parseLockOwner("5f0c9b1e-7f0a-4c7e-9f57-1d3a6c0f8a11")).toBeUndefined();
  });
});
