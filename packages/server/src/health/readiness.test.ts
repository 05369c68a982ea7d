import { describe, expect, it } from "vitest";
import { type Dependency, judgeReadiness } from "./readiness.ts";

const works: Dependency = { name: "database", isNeeded: true, check: async () => {} };
const fails = (name: string, { isNeeded }: { readonly isNeeded: boolean }): Dependency => ({
  name,
  isNeeded,
  check: () => Promise.reject(new Error("connection refused")),
});
const refuses = (name: string, reason: string): Dependency => ({
  name,
  isNeeded: true,
  check: () => Promise.reject(new Error(reason)),
});
const hangs: Dependency = { name: "blobs", isNeeded: true, check: () => new Promise(() => {}) };

describe("judgeReadiness", () => {
  it.each<[string, readonly Dependency[], string | undefined, boolean, string]>([
    ["all works", [works], undefined, true, "ok\ndatabase: ok\n"],
    [
      "something needed fails",
      [works, fails("blobs", { isNeeded: true })],
      undefined,
      false,
      "blobs fails\ndatabase: ok\nblobs: failed: connection refused\n",
    ],
    [
      "something else fails",
      [works, fails("indexer", { isNeeded: false })],
      undefined,
      true,
      "ok\ndatabase: ok\nindexer: failed (requests are answered without it): connection refused\n",
    ],
    [
      "a reason has a path",
      [refuses("database", "/var/lib/plimsoll/plimsoll.db cannot grow, and http://host:1/path answers 500")],
      undefined,
      false,
      "database fails\ndatabase: failed: plimsoll.db cannot grow, and http://host:1/path answers 500\n",
    ],
    ["something hangs", [hangs], undefined, false, "blobs fails\nblobs: failed: no answer within 2 s\n"],
    ["the service stops", [works], "the service stops", false, "the service stops\ndatabase: ok\n"],
  ])("tells where %s", async (_, dependencies, stopping, isReady, text) => {
    const readiness = judgeReadiness({ dependencies, stopping: () => stopping, clock: { now: () => 0 } });

    expect(await readiness()).toMatchObject({ isReady, text });
  });

  it("checks its dependencies at most once a second", async () => {
    let [now, checks] = [0, 0];
    const counted: Dependency = { ...works, check: async () => void checks++ };
    const readiness = judgeReadiness({ dependencies: [counted], stopping: () => undefined, clock: { now: () => now } });

    await Promise.all([readiness(), readiness()]);
    now = 999;
    await readiness();
    expect(checks).toBe(1);
    now = 1000;
    await readiness();
    expect(checks).toBe(2);
  });
});
