import { describe, expect, it } from "vitest";
import { type AttemptResult, afterAttempt, type Settlement } from "./after-attempt.ts";
import { backOffMs, spreadMs } from "./back-off.ts";

const now = 1_000_000;
const fresh = { attempts: 1, maxAttempts: 3 };
const spent = { attempts: 3, maxAttempts: 3 };
const failed: AttemptResult = { kind: "failed", error: "e" };
const rejected: AttemptResult = { kind: "rejected", error: "e" };
const done: AttemptResult = { kind: "done" };
const released: AttemptResult = { kind: "released" };
const dead: Settlement = { kind: "bury", dueAt: now, lastError: "e" };
const nextTurn: Settlement = { kind: "wait", dueAt: now + 60_000, attempts: 0 };

describe("afterAttempt", () => {
  it.each([
    { case: "done", job: fresh, result: done, becomes: { kind: "remove" } },
    { case: "done at last", job: { ...spent, lastError: "old" }, result: done, becomes: { kind: "remove" } },
    {
      case: "failed",
      job: fresh,
      result: failed,
      becomes: { ...nextTurn, dueAt: now + 3_750, attempts: 1, lastError: "e" },
    },
    {
      case: "failed, and names a longer time",
      job: fresh,
      result: { ...failed, waitMs: 90_000 },
      becomes: { ...nextTurn, dueAt: now + 90_000, attempts: 1, lastError: "e" },
    },
    {
      case: "failed, and names a shorter time",
      job: fresh,
      result: { ...failed, waitMs: 1 },
      becomes: { ...nextTurn, dueAt: now + 3_750, attempts: 1, lastError: "e" },
    },
    { case: "failed for the last time", job: spent, result: failed, becomes: dead },
    { case: "failed for the last time, naming a time", job: spent, result: { ...failed, waitMs: 9 }, becomes: dead },
    { case: "rejected", job: fresh, result: rejected, becomes: dead },
    { case: "released", job: fresh, result: released, becomes: { ...nextTurn, dueAt: now, attempts: 0 } },
    {
      case: "released after a failure",
      job: { ...fresh, attempts: 2, lastError: "old" },
      result: released,
      becomes: { ...nextTurn, dueAt: now, attempts: 1, lastError: "old" },
    },
  ] satisfies { case: string; job: object; result: AttemptResult; becomes: Settlement }[])(
    "settles a job that is $case",
    ({ job, result, becomes }) => {
      expect(afterAttempt(job, result, { now, random: 0.5 })).toEqual(becomes);
    },
  );

  it.each([
    { case: "done", job: fresh, result: done, becomes: nextTurn },
    {
      case: "failed",
      job: fresh,
      result: failed,
      becomes: { ...nextTurn, dueAt: now + 3_750, attempts: 1, lastError: "e" },
    },
    {
      case: "failed often enough to wait beyond its next turn",
      job: { attempts: 9, maxAttempts: 12 },
      result: failed,
      becomes: { ...nextTurn, attempts: 9, lastError: "e" },
    },
    {
      case: "failed, and names a time beyond its next turn",
      job: fresh,
      result: { ...failed, waitMs: 90_000 },
      becomes: { ...nextTurn, attempts: 1, lastError: "e" },
    },
    { case: "failed for the last time", job: spent, result: failed, becomes: { ...nextTurn, lastError: "e" } },
    { case: "rejected", job: fresh, result: rejected, becomes: { ...nextTurn, lastError: "e" } },
    { case: "released", job: fresh, result: released, becomes: { ...nextTurn, dueAt: now } },
  ] satisfies { case: string; job: object; result: AttemptResult; becomes: Settlement }[])(
    "settles a recurring job that is $case",
    ({ job, result, becomes }) => {
      expect(afterAttempt({ ...job, everyMs: 60_000 }, result, { now, random: 0.5 })).toEqual(becomes);
    },
  );
});

describe("backOffMs", () => {
  it.each([
    [1, 0, 2_500],
    [1, 1, 5_000],
    [2, 0, 5_000],
    [5, 1, 80_000],
    [50, 0, 1_800_000],
    [5_000, 1, 3_600_000],
  ])("waits after %i failures, with chance at %d, %i ms", (attempts, random, delayMs) => {
    expect(backOffMs(attempts, random)).toBe(delayMs);
  });
});

describe("spreadMs", () => {
  it.each([
    [0, 900],
    [0.5, 1_000],
    [1, 1_100],
  ])("with chance at %d makes 1000 ms %i ms", (random, spread) => {
    expect(spreadMs(1_000, random)).toBe(spread);
  });
});
