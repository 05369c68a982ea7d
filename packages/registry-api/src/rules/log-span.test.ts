import { describe, expect, it } from "vitest";
import { checkAggregable, checkSpan, logSpan, parseLogDate } from "./log-span.ts";

const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;

describe("parseLogDate", () => {
  it.each([
    ["11/21/2026", Date.UTC(2026, 10, 21)],
    ["1/2/2026", Date.UTC(2026, 0, 2)],
    ["11/21/2026 UTC", Date.UTC(2026, 10, 21)],
    ["02/29/2024", Date.UTC(2024, 1, 29)],
    ["02/29/2026", undefined],
    ["13/01/2026", undefined],
    ["2026-11-21", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("reads %j as %j", (text, at) => {
    expect(parseLogDate(text)).toBe(at);
  });
});

describe("logSpan", () => {
  it.each([
    { start: "11/20/2026", end: "11/20/2026", startAt: Date.UTC(2026, 10, 20), endAt: Date.UTC(2026, 10, 21) },
    { start: undefined, end: undefined, startAt: now - dayMs, endAt: now + dayMs },
    { start: "rubbish", end: "rubbish", startAt: now - dayMs, endAt: now + dayMs },
  ])("covers $start to $end", ({ start, end, ...span }) => {
    expect(logSpan(start, end, now)).toEqual(span);
  });
});

describe("checkSpan", () => {
  it("refuses an end before the start", () => {
    expect(() => checkSpan(logSpan("11/20/2026", "11/20/2026", now))).not.toThrow();
    expect(() => checkSpan(logSpan("11/20/2026", "11/19/2026", now))).toThrow(/before the start/);
  });
});

describe("checkAggregable", () => {
  it("takes a month and no more", () => {
    expect(() => checkAggregable({ startAt: 0, endAt: 31 * dayMs })).not.toThrow();
    expect(() => checkAggregable({ startAt: 0, endAt: 31 * dayMs + 1 })).toThrow(/at most 31 days/);
    expect(() => checkAggregable({ startAt: 1, endAt: 0 })).toThrow(/before the start/);
  });
});
