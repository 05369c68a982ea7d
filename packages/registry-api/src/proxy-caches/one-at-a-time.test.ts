import { systemTime } from "@plimsoll/store";
import { testEngines } from "@plimsoll/testing";
import { expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { onceInCluster } from "./one-at-a-time.ts";

for (const engine of testEngines) {
  it.skipIf(engine.skip !== undefined)(
    `onceInCluster waits no longer than its signal lets it, on ${engine.name}`,
    async () => {
      await using registry = await openTestRegistry({ engine });
      const { store } = registry;
      const { clock, sleep } = systemTime;
      await using _others = await store.tryLock("layer", { clock, leaseSeconds: 60 });
      const stop = new AbortController();
      let looked = 0;

      const waiting = onceInCluster(
        { store, clock, sleep },
        {
          name: "layer",
          find: async () => {
            if (++looked === 2) stop.abort(new Error("the client has gone"));
            return undefined;
          },
          do: () => Promise.reject(new Error("not this node's turn")),
          signal: stop.signal,
        },
      );

      await expect(waiting).rejects.toThrow("the client has gone");
    },
  );
}
