import { describe, expect, it } from "vitest";
import { labelMediaType } from "./change-labels.ts";

describe("labelMediaType", () => {
  it.each([
    ["an object", '{"a":1}', "application/json"],
    ["a list after a blank", " [1]", "application/json"],
    ["a number", "1", "text/plain"],
    ["what only begins like a list", "[1", "text/plain"],
    ["lists that are nested too deep to be parsed", `${"[".repeat(101)}${"]".repeat(101)}`, "text/plain"],
    ["more values than are parsed", `[${"0,".repeat(100_000)}0]`, "text/plain"],
  ])("of %s", (_, value, mediaType) => {
    expect(labelMediaType(value)).toBe(mediaType);
  });
});
