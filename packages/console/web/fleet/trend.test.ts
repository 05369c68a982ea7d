import { describe, expect, it } from "vitest";
import { barsOf, chart, gridOf } from "./trend.tsx";

const none = { critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0, fixable: 0, known_exploited: 0 };
const day = (day: string, counts: Partial<typeof none>) => ({ day, severities: { ...none, ...counts } });

describe("gridOf", () => {
  it.each([
    [0, [0, 1, 2]],
    [1, [0, 1, 2]],
    [3, [0, 2, 4]],
    [9, [0, 5, 10]],
    [10, [0, 5, 10]],
    [11, [0, 10, 20]],
    [30, [0, 15, 30]],
    [101, [0, 100, 200]],
    [4321, [0, 2500, 5000]],
  ])("has lines for at most %d: %j", (most, counts) => {
    const lines = gridOf([day("2026-11-01", { high: most })]);

    expect(lines.map(({ count }) => count)).toEqual(counts);
    expect(lines.map(({ y }) => y)).toEqual([chart.height - chart.bottom, expect.any(Number), chart.top]);
  });
});

describe("barsOf", () => {
  it("puts the severities of a day upon each other, the worst at the bottom", () => {
    const bars = barsOf([day("2026-11-01", { critical: 1, low: 3 }), day("2026-11-02", {})]);

    expect(bars.map(({ key }) => key)).toEqual(["2026-11-01 Critical", "2026-11-01 Low"]);
    const [critical, low] = bars;
    expect(critical?.y).toBe(chart.height - chart.bottom - (critical?.height ?? 0));
    expect(low?.y).toBe((critical?.y ?? 0) - (low?.height ?? 0));
    expect(low?.y).toBe(chart.top);
  });

  it("keeps a year within the chart", () => {
    const year = Array.from({ length: 365 }, (_, index) => day(String(index), { high: 1 }));

    const last = barsOf(year).at(-1);

    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(chart.width);
  });
});
