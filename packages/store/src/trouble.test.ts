import { describe, expect, it } from "vitest";
import { StoreError, type StoreErrorCode } from "./errors.ts";
import { TroubleWatch } from "./trouble.ts";

/** A watch, what it told, and its time. */
function watch() {
  const told: string[] = [];
  const time = { now: 5 };
  const troubles = new TroubleWatch(
    ({ kind, code }) => void told.push(`${kind} ${code}`),
    () => time.now,
  );
  const fail = (code: StoreErrorCode) => troubles.failed(new StoreError(code, "no"));
  return { told, time, troubles, fail };
}

describe("TroubleWatch", () => {
  it("tells once of a full disk on which small changes still fit now and then", () => {
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
});
