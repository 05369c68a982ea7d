import { describe, expect, it } from "vitest";
import { apiDay, countsByDay, countsByKind, logDays } from "./log-calls.ts";

const now = Date.UTC(2026, 2, 3, 12);

describe("logDays", () => {
  it.each([
    ["", "", { from: "2026-02-25", to: "2026-03-03" }],
    ["2026-01-01", "", { from: "2026-01-01", to: "2026-03-03" }],
    ["", "2026-01-31", { from: "2026-01-25", to: "2026-01-31" }],
    ["<b>", "2026-99-99", { from: "2026-02-25", to: "2026-03-03" }],
  ])("reads %j to %j", (from, to, days) => {
    expect(logDays(from, to, now)).toEqual(days);
  });
});

it("apiDay writes a day as the management API reads it", () => {
  expect(apiDay("2026-01-31")).toBe("01/31/2026");
});

describe("counts", () => {
  const counts = [
    { kind: "push_repo", count: 2, datetime: "Sun, 01 Mar 2026 00:00:00 -0000" },
    { kind: "pull_repo", count: 5, datetime: "Sun, 01 Mar 2026 00:00:00 -0000" },
    { kind: "push_repo", count: 1, datetime: "Tue, 03 Mar 2026 00:00:00 -0000" },
  ];
  const days = { from: "2026-03-01", to: "2026-03-03" };

  it.each([
    ["", [7, 0, 1]],
    ["push_repo", [2, 0, 1]],
    ["create_repo", [0, 0, 0]],
  ])("by day of the kind %j are %j", (kind, values) => {
    expect(countsByDay(counts, days, kind)).toEqual(
      values.map((value, index) => ({ name: `2026-03-0${index + 1}`, value })),
    );
  });

  it("by day of days in the wrong order are none", () => {
    expect(countsByDay(counts, { from: "2026-03-03", to: "2026-03-01" }, "")).toEqual([]);
  });

  it("by kind have the most frequent first", () => {
    expect(countsByKind(counts)).toEqual([
      ["pull_repo", 5],
      ["push_repo", 3],
    ]);
  });
});
