import { describe, expect, it } from "vitest";
import { namedOrFirst } from "./named-or-first.ts";

describe("namedOrFirst", () => {
  it.each([
    ["logs", "logs"],
    ["", "tags"],
    ["nothing", "tags"],
    ["constructor", "tags"],
    ["toString", "tags"],
    ["__proto__", "tags"],
  ])("takes %j for %s", (text, name) => {
    expect(namedOrFirst({ tags: "Tags", logs: "Usage log" }, text)).toBe(name);
  });
});
