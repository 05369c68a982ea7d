import { describe, expect, it } from "vitest";
import { type FileUse, fileProblem } from "./file-problem.ts";

describe("fileProblem", () => {
  it.each<[string, FileUse, string]>([
    ["ENOENT", "read", "a/b cannot be read: there is no such file; check its name"],
    ["ENOENT", "written", "a/b cannot be written: its folder does not exist; create it, or name another place"],
    ["EACCES", "read", "a/b cannot be read: its permissions do not allow it to this user"],
    ["EIO", "read", "a/b cannot be read: EIO: input/output error"],
  ])("%s of a file that is to be %s", (code, use, expected) => {
    const error = Object.assign(new Error(`${code}: input/output error`), { code });

    expect(fileProblem("a/b", use, error)).toBe(expected);
  });

  it("formats a thrown value that is not an Error", () => {
    expect(fileProblem("a", "read", "odd")).toBe("a cannot be read: odd");
  });
});
