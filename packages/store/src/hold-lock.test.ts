import { describe, expect, it } from "vitest";
import { holdLock } from "./hold-lock.ts";
import { asLock, lockLost } from "./locks.ts";

/** A lock that records its calls, and is lost at the given renewal. */
function testLock(lostAt = Number.POSITIVE_INFINITY) {
  const log: string[] = [];
  let renewals = 0;
  const lock = asLock("name", {
    renew: async () => {
      log.push("renew");
      if (++renewals === lostAt) throw lockLost("name");
    },
    release: async () => {
      log.push("release");
    },
  });
  return { lock, log };
}

/** Pauses that the test ends. */
function pauses() {
  const waiting: (() => void)[] = [];
  const delays: number[] = [];
  const sleep = (delayMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      delays.push(delayMs);
      waiting.push(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const endOne = async () => {
    waiting.shift()?.();
    await turn();
  };
  return { sleep, delays, endOne };
}

describe("holdLock", () => {
  it("renews after half of the lease while the work lasts, and releases at its end", async () => {
    const { lock, log } = testLock();
    const { sleep, delays, endOne } = pauses();

    const result = await holdLock(lock, { leaseSeconds: 30, sleep }, async () => {
      await endOne();
      await endOne();
      return "done";
    });

    expect(result).toBe("done");
    expect(log).toEqual(["renew", "renew", "release"]);
    expect(delays).toEqual([15_000, 15_000, 15_000]);
  });

  it("releases when the work fails, and rethrows the error", async () => {
    const { lock, log } = testLock();

    const held = holdLock(lock, { leaseSeconds: 30, sleep: pauses().sleep }, () => Promise.reject(new Error("no")));

    await expect(held).rejects.toThrow("no");
    expect(log).toEqual(["release"]);
  });

  it("aborts the work when the lock is lost", async () => {
    const { lock } = testLock(1);
    const { sleep, endOne } = pauses();

    const reason = await holdLock(lock, { leaseSeconds: 30, sleep }, async (signal) => {
      await endOne();
      return signal.reason;
    });

    expect(reason).toMatchObject({ code: "lock_lost" });
  });

  it("aborts the work with the caller's signal", async () => {
    const caller = new AbortController();
    const { lock } = testLock();

    const aborted = await holdLock(
      lock,
      { leaseSeconds: 30, sleep: pauses().sleep, signal: caller.signal },
      async (signal) => {
        caller.abort();
        return signal.aborted;
      },
    );

    expect(aborted).toBe(true);
  });
});
