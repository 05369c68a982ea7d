import { expect, it } from "vitest";
import { trimEnd } from "./trim-end.ts";

it.each([
  ["a", "/", "a"],
  ["a/", "/", "a"],
  ["/a//b///", "/", "/a//b"],
  ["///", "/", ""],
  ["", "/", ""],
  ["cpe:2.3:a:*:*", ":*", "cpe:2.3:a"],
])("takes the end off %j without %j", (text, characters, trimmed) => {
  expect(trimEnd(text, characters)).toBe(trimmed);
});

it("takes linear time where the characters are not at the end", () => {
  const text = `${"/".repeat(2_000_000)}x`;

  expect(trimEnd(text, "/")).toBe(text);
});
