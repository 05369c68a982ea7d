import { ScanError } from "@plimsoll/core";
import type { RoundResult } from "@plimsoll/matcher";
import { describe, expect, it } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { logUpdates } from "./updating.ts";

const address = "https://feeds.example/all.json";
const unreachable = new ScanError("feed_unreachable", `cannot fetch ${address}: ENOTFOUND`, {
  cause: new Error("getaddrinfo ENOTFOUND feeds.example"),
});

/** The log lines of an update with such failures. */
function linesOf(level: string, errors: readonly unknown[]): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(String(line)) > 0 }, level);
  const updates = errors.map((error, index) => ({ updater: `feed-${index}`, kind: "failed" as const, error }));
  const round: RoundResult = { updates, garbage: { operations: 0, rows: 0, remaining: 0 } };
  logUpdates(logger, 7_200)(round);
  return lines.map((line) => JSON.parse(line));
}

describe("logUpdates", () => {
  it("logs one line per feed with the error, its source and the next attempt, without a stack", () => {
    const lines = linesOf("info", [unreachable, unreachable]);

    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual({
      level: "warn",
      time: expect.any(String),
      event: "updated",
      updater: "feed-0",
      result: "failed",
      reason: `cannot fetch ${address}: ENOTFOUND: getaddrinfo ENOTFOUND feeds.example`,
      nextTryWithinSeconds: 7_200,
    });
  });

  it("logs the stack at level debug", () => {
    const [, detail] = linesOf("debug", [unreachable]);

    expect(detail).toMatchObject({ level: "debug", event: "update_failed", err: { stack: expect.any(String) } });
  });

  it("always logs the stack of an internal error", () => {
    const [line] = linesOf("info", [new TypeError("x is not a function")]);

    expect(line).toMatchObject({ level: "warn", reason: "x is not a function", err: { stack: expect.any(String) } });
  });
});
