import { describe, expect, it } from "vitest";
import { findRetryDelay, isPassingError, isPassingStatus, parseRetryAfter, type RetryPolicy } from "./retry.ts";

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
