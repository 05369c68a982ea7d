import { describe, expect, it } from "vitest";
import { StoreError, type StoreErrorCode } from "./errors.ts";
import { TroubleWatch } from "./trouble.ts";

/** A watch, its reports, and its time. */
function watch() {
  const told: string[] = [];
  const time = { now: 5 };
  const troubles = new TroubleWatch(
    ({ kind, code }) => void told.push(`${kind} ${code}`),
    () => time.now,
  );
  const fail = (code: StoreErrorCode, openedAt?: number) => troubles.failed(new StoreError(code, "no"), openedAt);
  return { told, time, troubles, fail };
}

describe("TroubleWatch", () => {
  it("reports once a full disk on which small changes sometimes still fit", () => {
    const { told, time, troubles, fail } = watch();

    for (let change = 0; change < 10; change++) {
      fail("disk_full");
      time.now += 3_000;
      troubles.worked("wrote");
    }
    expect(told).toEqual(["began disk_full"]);
    time.now += 7_000;
    troubles.worked("read");
    expect(told).toEqual(["began disk_full"]);
    troubles.worked("wrote");

    expect(told).toEqual(["began disk_full", "ended disk_full"]);
  });

  it("reports damage once, which nothing ends", () => {
    const { told, time, troubles, fail } = watch();

    fail("corrupt");
    time.now += 60_000;
    troubles.worked("wrote");
    fail("corrupt");

    expect(told).toEqual(["began corrupt"]);
  });

  it.each([
    ["unavailable", "read"],
    ["read_only", "wrote"],
  ] as const)("tells at once that the database is not %s any more, when something %s", (code, what) => {
    const { told, troubles, fail } = watch();

    fail(code);
    fail(code);
    troubles.worked(what);

    expect(told).toEqual([`began ${code}`, `ended ${code}`]);
  });

  it.each([
    {
      news: "an answer on a connection that was opened before",
      happens: ["5 fails at 10", "6 works at 11", "7 fails at 12", "13 works at 14"],
      expected: ["began", "ended"],
    },
    {
      news: "a failure of an earlier attempt after a later one has worked",
      happens: ["5 fails at 10", "13 works at 14", "6 fails at 15", "12 fails at 16", "17 works at 18"],
      expected: ["began", "ended"],
    },
    {
      news: "two outages",
      happens: [
        "5 fails at 10",
        "13 works at 14",
        "13 fails at 20",
        "15 fails at 21",
        "22 works at 23",
        "23 works at 24",
      ],
      expected: ["began", "ended", "began", "ended"],
    },
    {
      news: "one connection that broke, while the others work",
      happens: ["5 fails at 10", "6 works at 5000", "6 works at 10009", "6 works at 10010", "6 works at 10011"],
      expected: ["began", "ended"],
    },
    {
      news: "failures at longer and longer distances",
      happens: ["5 fails at 10", "6 fails at 9000", "7 works at 18999"],
      expected: ["began"],
    },
  ])("tells each outage of connections once: $news", ({ happens, expected }) => {
    const { told, time, troubles, fail } = watch();

    for (const [, openedAt, what, at] of happens.map((text) => /^(\d+) (\w+) at (\d+)$/.exec(text) ?? [])) {
      time.now = Number(at);
      if (what === "fails") fail("unavailable", Number(openedAt));
      else troubles.worked("read", Number(openedAt));
    }

    expect(told).toEqual(expected.map((kind) => `${kind} unavailable`));
  });
});
