import { describe, expect, it } from "vitest";
import { checkAggregable, checkSpan, logSpan, parseLogDate } from "./log-span.ts";

const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;

describe("parseLogDate", () => {
  it.each([
    ["11/21/2026", Date.UTC(2026, 10, 21)],
    ["1/2/2026", Date.UTC(2026, 0, 2)],
    ["11/21/2026 UTC", Date.UTC(2026, 10, 21)],
    ["11/21/2026 gmt", Date.UTC(2026, 10, 21)],
    ["11/21/2026 Z", Date.UTC(2026, 10, 21)],
    ["11/21/2026 +0000", Date.UTC(2026, 10, 21)],
    ["11/21/2026 +0200", Date.UTC(2026, 10, 20, 22)],
    ["11/21/2026 -05:30", Date.UTC(2026, 10, 21, 5, 30)],
    ["11/21/2026 EST", Date.UTC(2026, 10, 21, 5)],
    ["11/21/2026 SGT", Date.UTC(2026, 10, 20, 16)],
    ["11/21/2026 NPT", Date.UTC(2026, 10, 20, 18, 15)],
    ["11/21/2026 AKST", Date.UTC(2026, 10, 21, 9)],
    ["07/01/2026 CEST", Date.UTC(2026, 5, 30, 22)],
    ["07/01/2026 Europe/Berlin", Date.UTC(2026, 5, 30, 22)],
    ["11/21/2026 Europe/Berlin", Date.UTC(2026, 10, 20, 23)],
    ["11/21/2026 Asia/Kolkata", Date.UTC(2026, 10, 20, 18, 30)],
    ["11/21/2026 NOWHERE", undefined],
    ["11/21/2026 0200", undefined],
    ["11/21/2026 +9900", undefined],
    ["11/21/2026 +0260", undefined],
    ["11/21/26", undefined],
    ["01/01/0099", undefined],
    ["11/21/2026 12:00:00", undefined],
    ["02/29/2024", Date.UTC(2024, 1, 29)],
    ["02/29/2026", undefined],
    ["13/01/2026", undefined],
    ["2026-11-21", undefined],
    ["", undefined],
  ])("reads %j as %j", (text, at) => {
    expect(parseLogDate(text)).toBe(at);
  });
});

describe("logSpan", () => {
  it.each([
    {
      dates: { starttime: "11/20/2026", endtime: "11/20/2026" },
      startAt: Date.UTC(2026, 10, 20),
      endAt: Date.UTC(2026, 10, 21),
    },
    { dates: { starttime: "11/20/2026" }, startAt: Date.UTC(2026, 10, 20), endAt: now + dayMs },
    { dates: { endtime: "01/02/2026" }, startAt: Date.UTC(2026, 0, 1), endAt: Date.UTC(2026, 0, 3) },
    { dates: {}, startAt: now - dayMs, endAt: now + dayMs },
  ])("covers $dates", ({ dates, ...span }) => {
    expect(logSpan(dates, now)).toEqual(span);
  });

  it.each([{ starttime: "rubbish" }, { endtime: "02/30/2026" }, { starttime: "" }])("refuses %j", (dates) => {
    const [name = ""] = Object.keys(dates);

    expect(() => logSpan(dates, now)).toThrow(new RegExp(`^${name}: expected MM/DD/YYYY`));
  });
});

describe("checkSpan", () => {
  it("refuses an end before the start", () => {
    const ending = (endtime: string) => logSpan({ starttime: "11/20/2026", endtime }, now);

    expect(() => checkSpan(ending("11/20/2026"))).not.toThrow();
    expect(() => checkSpan(ending("11/19/2026"))).toThrow(/before the start/);
  });
});

describe("checkAggregable", () => {
  it("takes a month and no more", () => {
    expect(() => checkAggregable({ startAt: 0, endAt: 31 * dayMs })).not.toThrow();
    expect(() => checkAggregable({ startAt: 0, endAt: 31 * dayMs + 1 })).toThrow(/at most 31 days/);
    expect(() => checkAggregable({ startAt: 1, endAt: 0 })).toThrow(/before the start/);
  });
});
