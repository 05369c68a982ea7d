import { type RegistryStore, type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { openTestStore } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { holdWhile } from "./hold-while.ts";

/** A store that records a use each time that blobs are held; chosen uses fail. */
async function openWorld(fails: (use: number) => boolean) {
  const store = await openTestStore<RegistryTables>(":memory:", { migrations: [registryMigrations] });
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const nth = (use: number) => waiting.get(use) ?? waiting.set(use, Promise.withResolvers()).get(use);
  let uses = 0;
  const watched = new Proxy(store, {
    get(target, name, receiver) {
      if (name !== "db") return Reflect.get(target, name, receiver);
      uses += 1;
      nth(uses)?.resolve();
      if (fails(uses)) throw new Error("the database is away");
      return target.db;
    },
  });
  const time = { now: 0 };
  return {
    holding: { store: watched as RegistryStore, now: () => time.now, everyMs: 1 },
    time,
    /** Waits until blobs are held for the nth time. */
    heldTimes: (use: number) => nth(use)?.promise,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

describe("holdWhile", () => {
  it("renews its hold, and retries a failed renewal", async () => {
    await using world = await openWorld((use) => use === 3);

    const done = await holdWhile(world.holding, async () => {
      await world.heldTimes(5);
      return "copied";
    });

    expect(done).toBe("copied");
  });

  it("fails when its hold has ended before the work, and reports why", async () => {
    await using world = await openWorld((use) => use > 2);

    const copying = holdWhile(world.holding, async () => {
      await world.heldTimes(4);
      world.time.now = 3_600_000;
      return "copied";
    });

    await expect(copying).rejects.toMatchObject({
      message: "blobs may have been deleted while they were copied: make the copy again",
      cause: { message: "the database is away" },
    });
  });

  it("fails when the hold was renewed too late", async () => {
    await using world = await openWorld(() => false);

    const copying = holdWhile(world.holding, async () => {
      await world.heldTimes(3);
      world.time.now = 3_600_000;
      await world.heldTimes(6);
    });

    await expect(copying).rejects.toThrow(/may have been deleted/);
  });

  it("reports why the work failed, and ends its hold", async () => {
    await using world = await openWorld(() => false);

    await expect(holdWhile(world.holding, () => Promise.reject(new Error("no room")))).rejects.toThrow("no room");
  });
});
