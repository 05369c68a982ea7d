import { describe, expect, it } from "vitest";
import { parseAsOf } from "./as-of.ts";

const now = Date.parse("2026-03-31T12:00:00Z");

describe("parseAsOf", () => {
  it.each([
    ["2026-03-30", "2026-03-30T23:59:59.999Z"],
    ["2026-03-31", "2026-03-31T12:00:00.000Z"],
    ["2026-03-30T10:00Z", "2026-03-30T10:00:00.000Z"],
    ["2026-03-30T10:00:30+02:00", "2026-03-30T08:00:30.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(new Date(parseAsOf(text, now)).toISOString()).toBe(instant);
  });

  it.each(["", "yesterday", "2026-02-30", "2026-13-01", "2026-03-30T10:00", "2026-04-01", "2026-03-31T13:00:00Z"])(
    "rejects %j",
    (text) => {
      expect(() => parseAsOf(text, now)).toThrow("--as-of");
    },
  );
});
