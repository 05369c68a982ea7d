import { describe, expect, it } from "vitest";
import { formatIsoSeconds, parseInstant, parseIsoSeconds } from "./dates.ts";

describe("parseInstant", () => {
  it.each([
    ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"],
    ["2026-11-21T12:00:00.123Z", "2026-11-21T12:00:00Z"],
    ["2026-11-21T13:00:00+01:00", "2026-11-21T12:00:00Z"],
    ["2024-02-29T23:59:59.999999999-05:30", "2024-03-01T05:29:59Z"],
  ])("reads %j", (text, seconds) => {
    const at = parseInstant(text);

    expect(at === undefined ? at : formatIsoSeconds(at)).toBe(seconds);
  });

  it.each([
    "",
    "2026-11-21",
    "2026-11-21T12:00:00",
    "2026-02-30T00:00:00Z",
    "2026-11-21T12:00:00+24:00",
    "2026-11-21T24:00:00Z",
  ])("refuses %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe("parseIsoSeconds", () => {
  it.each(["2026-11-21T12:00:00.123Z", "2026-11-21T13:00:00+01:00", "2026-02-30T00:00:00Z"])("refuses %j", (text) => {
    expect(parseIsoSeconds(text)).toBeUndefined();
  });
});
