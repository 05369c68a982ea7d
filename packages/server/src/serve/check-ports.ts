import { once } from "node:events";
import { createServer } from "node:net";
import { type ListenPlace, listenOrExplain } from "./listen-problem.ts";

/**
 * Checks that a service can listen: it listens at each place for a moment. Two places with one port, other than 0, are a problem as well.
 * @throws Error with the reason and what to do
 */
export async function checkPorts(places: readonly ListenPlace[]): Promise<void> {
  await using opened = new AsyncDisposableStack();
  for (const place of places) {
    await listenOrExplain(place, async (where) => {
      const server = createServer().listen(where);
      await once(server, "listening");
      opened.use(server);
    });
  }
}
