import { engineTitle, storeTestEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { systemTime } from "./jobs/system-time.ts";
import { openStore } from "./open.ts";
import { singleFlight } from "./single-flight.ts";

const { clock, sleep } = systemTime;
const random = () => 0;

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "singleFlight on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("stops waiting when its signal is aborted", async () => {
      await using database = await engine.create();
      await using store = await openStore<unknown>(database.location, { migrations: [] });
      await using _others = await store.tryLock("layer", { clock, leaseSeconds: 60 });
      const stop = new AbortController();
      let looked = 0;

      const waiting = singleFlight(
        { store, clock, sleep, random },
        {
          name: "layer",
          find: async () => {
            if (++looked === 2) stop.abort(new Error("the client has gone"));
            return undefined;
          },
          work: () => Promise.reject(new Error("not this node's turn")),
          signal: stop.signal,
        },
      );

      await expect(waiting).rejects.toThrow("the client has gone");
    });

    it.skipIf(engine.skip !== undefined)(
      "returns what another caller has found meanwhile, and works only once",
      async () => {
        await using database = await engine.create();
        await using store = await openStore<unknown>(database.location, { migrations: [] });
        let done: number | undefined;
        let runs = 0;
        const flight = {
          name: "layer",
          find: async () => done,
          work: async () => {
            runs++;
            done = 42;
            return done;
          },
          signal: new AbortController().signal,
        };

        const found = await Promise.all([1, 2, 3].map(() => singleFlight({ store, clock, sleep, random }, flight)));

        expect({ found, runs }).toEqual({ found: [42, 42, 42], runs: 1 });
      },
    );
  },
);
