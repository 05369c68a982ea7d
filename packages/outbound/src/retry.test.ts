import { describe, expect, it } from "vitest";
import {
  Attempts,
  findRetryDelay,
  isPassingError,
  isPassingStatus,
  parseRetryAfter,
  type RetryPolicy,
  withRetries,
} from "./retry.ts";

const policy: RetryPolicy = {
  attempts: 4,
  firstDelayMs: 100,
  maxDelayMs: 300,
  maxRetryAfterMs: 5000,
  sleep: async () => {},
  random: () => 0.5,
};

describe("findRetryDelay", () => {
  it.each([
    [1, undefined, 75],
    [2, undefined, 150],
    [3, undefined, 225],
    [4, undefined, undefined],
    [1, 2000, 2000],
    [1, 0, 0],
    [1, 5001, undefined],
    [4, 10, undefined],
  ])("after attempt %d with Retry-After %s waits %s", (attempt, retryAfterMs, delayMs) => {
    expect(findRetryDelay(policy, attempt, retryAfterMs)).toBe(delayMs);
  });
});

const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
const final = new Error("final");

/** An attempt that throws these errors in order, and then returns its number. */
function failing(...errors: readonly unknown[]) {
  return async (number: number) => {
    if (number <= errors.length) throw errors[number - 1];
    return number;
  };
}

describe("withRetries", () => {
  it.each([
    { case: "succeeds at once", errors: [], gives: 1 },
    { case: "breaks twice", errors: [reset, reset], gives: 3 },
    { case: "fails for good", errors: [reset, final], throws: final },
    { case: "breaks at every attempt", errors: [reset, reset, reset, reset], throws: reset },
  ])("of work that $case", async ({ errors, gives, throws }) => {
    const result = withRetries(policy, failing(...errors));

    if (throws === undefined) expect(await result).toBe(gives);
    else await expect(result).rejects.toBe(throws);
  });

  it("uses the advice for each error", async () => {
    const slept: number[] = [];
    const sleep = async (delayMs: number) => slept.push(delayMs);
    const adviceOf = (error: unknown) => ({ isPassing: error === final, retryAfterMs: 1234 });

    expect(await withRetries({ ...policy, sleep }, failing(final), { adviceOf })).toBe(2);
    expect(slept).toEqual([1234]);
    await expect(withRetries(policy, failing(reset), { adviceOf })).rejects.toBe(reset);
  });

  it("ends with the reason of its signal, also when it is aborted during a pause", async () => {
    const given = new AbortController();
    const sleep = async () => given.abort(final);
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      throw reset;
    };

    await expect(withRetries({ ...policy, sleep }, attempt, { signal: given.signal })).rejects.toBe(final);
    await expect(withRetries(policy, attempt, { signal: given.signal })).rejects.toBe(final);
    expect(attempts).toBe(2);
  });
});

describe("Attempts", () => {
  it("starts counting again after progress", async () => {
    const attempts = new Attempts(policy);
    for (const expected of [2, 3, 4]) {
      await attempts.pauseAfter(reset);
      expect(attempts.number).toBe(expected);
    }
    attempts.startAgain();
    await attempts.pauseAfter(reset);
    expect(attempts.number).toBe(2);
  });
});

describe("parseRetryAfter", () => {
  it.each([
    ["0", 0],
    ["120", 120_000],
    ["Thu, 01 Jan 1970 00:00:10 GMT", 9000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
  ])("reads %j as %s", (header, delayMs) => {
    expect(parseRetryAfter(header, 1000)).toBe(delayMs);
  });
});

describe("isPassingStatus", () => {
  it.each([
    [200, false],
    [401, false],
    [404, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [501, false],
    [503, true],
    [505, false],
  ])("%d: %s", (status, passing) => {
    expect(isPassingStatus(status)).toBe(passing);
  });
});

describe("isPassingError", () => {
  it.each([
    [Object.assign(new Error("reset"), { code: "ECONNRESET" }), true],
    [new Error("fetch failed", { cause: Object.assign(new Error("x"), { code: "UND_ERR_SOCKET" }) }), true],
    [Object.assign(new Error("name"), { code: "ENOTFOUND" }), false],
    [new Error("other"), false],
    ["text", false],
  ])("%s: %s", (error, passing) => {
    expect(isPassingError(error)).toBe(passing);
  });
});
