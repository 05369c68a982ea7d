import { type RegistryStore, type RegistryTables, registryMigrations } from "@plimsoll/registry-api";
import { openTestStore } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { holdWhile } from "./hold-while.ts";

/** A store whose uses, one for each time that blobs are held, fail where told. */
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
    /** When blobs are held for the nth time. */
    heldTimes: (use: number) => nth(use)?.promise,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

describe("holdWhile", () => {
  it("renews what it holds, again after a renewal has failed", async () => {
    await using world = await openWorld((use) => use === 3);

    const done = await holdWhile(world.holding, async () => {
      await world.heldTimes(5);
      return "copied";
    });

    expect(done).toBe("copied");
  });

  it("fails where what it holds has ended before the work, and says why", async () => {
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

  it("fails where it was held again too late", async () => {
    await using world = await openWorld(() => false);

    const copying = holdWhile(world.holding, async () => {
      await world.heldTimes(3);
      world.time.now = 3_600_000;
      await world.heldTimes(6);
    });

    await expect(copying).rejects.toThrow(/may have been deleted/);
  });

  it("tells why the work failed, and holds no longer than it", async () => {
    await using world = await openWorld(() => false);

    await expect(holdWhile(world.holding, () => Promise.reject(new Error("no room")))).rejects.toThrow("no room");
  });
});
