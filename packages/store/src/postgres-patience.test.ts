import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { openStore } from "./open.ts";

/** Opens a database and ends the wait for it as soon as `moment` is over. */
async function openUntil(location: string, moment: (retried: Promise<void>) => Promise<unknown>): Promise<unknown> {
  const stop = new AbortController();
  const retried = Promise.withResolvers<void>();
  const patience = { seconds: 600, onRetry: () => retried.resolve(), signal: stop.signal };
  const opened = openStore(location, { migrations: [], postgres: { connectSeconds: 600 }, patience });
  const failure = opened.then(
    () => undefined,
    (error: unknown) => error,
  );
  await moment(retried.promise);
  stop.abort(new Error("told to stop"));
  return failure;
}

const toldToStop = expect.objectContaining({ message: "told to stop" });

describe("the wait of openStore for a PostgreSQL server", () => {
  it("ends with its signal between two attempts", async () => {
    expect(await openUntil("postgres://u@127.0.0.1:1/db", (retried) => retried)).toEqual(toldToStop);
  });

  it("ends with its signal in an attempt that gets no answer", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;

    using resources = new DisposableStack();
    resources.defer(() => silent.close());

    const error = await openUntil(`postgres://u@127.0.0.1:${port}/db`, async () => {
      const [socket] = await once(silent, "connection");
      resources.defer(() => socket.destroy());
    });

    expect(error).toEqual(toldToStop);
  });
});
