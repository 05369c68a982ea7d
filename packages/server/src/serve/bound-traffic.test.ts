import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { parseQueues, queuedForSockets } from "./bound-traffic.ts";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
   1: 0100007F:1F90 0200007F:C350 01 0003A980:00000000 01:00000014 00000000     0        0 2 4
   2: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000300007F:C351 01 00000010:00000000 01:00000014 00000000
`;

describe("parseQueues", () => {
  it("reads the queue of each connection, with mapped addresses as those of IPv4", () => {
    expect(parseQueues(table)).toEqual([
      ["1F90 00000000 0000", 0],
      ["1F90 0200007F C350", 240_000],
      ["1F90 0300007F C351", 16],
    ]);
  });
});

describe("queuedForSockets", () => {
  it.skipIf(process.platform !== "linux").each(["127.0.0.1", "::1"])(
    "tells how much of what was sent to %s is not read",
    async (host) => {
      const server = createServer().listen(0, host);
      await once(server, "listening");
      const client = connect((server.address() as AddressInfo).port, host).pause();
      const [socket] = (await once(server, "connection")) as [Socket];
      socket.on("error", () => {}).write(Buffer.alloc(16 * 1024 * 1024));

      await expect.poll(async () => (await queuedForSockets([socket]))[0]).toBeGreaterThan(32 * 1024);
      expect(await queuedForSockets([undefined])).toEqual([0]);

      client.destroy();
      socket.destroy();
      server.close();
    },
  );
});
