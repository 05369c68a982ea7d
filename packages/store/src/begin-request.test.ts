import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inputBatch } from "./dialects/sqlite-reads.ts";
import { ships, type Tables, ways } from "./fixtures/ships.ts";
import { openStore } from "./open.ts";

describe.each(Object.entries(ways))("Store.beginRequest and %s", (_, read) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-store-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(["a timer", "what runs after input"])(
    "show what another process has committed since %s read, to a request of the next look at the sockets",
    async (since) => {
      await using store = await openStore<Tables>(join(folder, "ships.db"), { migrations: [ships] });
      using other = new DatabaseSync(join(folder, "ships.db"));
      await using sockets = await openSockets();
      await new Promise((resolve) => (since === "a timer" ? setTimeout(resolve, 0) : setImmediate(resolve)));
      const before = await read(store);
      other.exec("insert into ship values ('Argo')");
      sockets.client.write("GET");

      await once(sockets.server, "data");
      store.beginRequest();

      expect([before, await read(store)]).toEqual([0, 1]);
    },
  );

  it("check the database once for requests that arrived together", async () => {
    await using store = await openStore<Tables>(join(folder, "ships.db"), { migrations: [ships] });
    using other = new DatabaseSync(join(folder, "ships.db"));
    await using sockets = await openSockets();
    for (let commits = 0; ; commits++) {
      sockets.client.write("GET");
      await once(sockets.server, "data");
      const batch = inputBatch();

      store.beginRequest();
      const first = await read(store);
      other.exec("insert into ship values ('Argo')"); // after the other request was there, too
      store.beginRequest();
      const second = await read(store);
      if (inputBatch() !== batch) continue; // after a read that took long others had a turn
      store.seeLatest();

      expect([first, second, await read(store)]).toEqual([commits, commits, commits + 1]);
      return;
    }
  });
});

/** Two ends of a connection. */
async function openSockets() {
  const listening = createServer().listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const client = connect({ port: typeof address === "object" && address !== null ? address.port : 0 });
  const [[server]] = (await Promise.all([once(listening, "connection"), once(client, "connect")])) as [
    [Socket],
    unknown,
  ];
  return {
    client,
    server,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      server.destroy();
      listening.close();
      await once(listening, "close");
    },
  };
}
