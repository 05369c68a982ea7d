import { describe, expect, it } from "vitest";
import { formatIsoSeconds, formatTimeDelta, parseInstant, parseIsoSeconds, parseTimeDelta } from "./dates.ts";

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

describe("parseTimeDelta", () => {
  it.each([
    ["7d", 604_800_000],
    ["1s", 1_000],
    ["90m", 5_400_000],
    ["12h", 43_200_000],
    ["2w", 1_209_600_000],
    ["1y", 31_536_000_000],
    ["7", undefined],
    ["7 d", undefined],
    ["-7d", undefined],
    ["7M", undefined],
    ["9999999999d", undefined],
    ["999999999y", undefined],
    [" 2w ", 1_209_600_000],
  ])("reads %j as %j", (text, ms) => {
    expect(parseTimeDelta(text)).toBe(ms);
  });
});

describe("formatTimeDelta", () => {
  it.each([
    [0, "0s"],
    [90, "90s"],
    [600, "10m"],
    [86_400, "1d"],
    [1_209_600, "2w"],
    [31_536_000, "365d"],
  ])("writes %i seconds as %s", (seconds, text) => {
    expect(formatTimeDelta(seconds)).toBe(text);
  });
});
