import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { checkPorts } from "./check-ports.ts";

const host = "127.0.0.1";

async function openPort() {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

describe("checkPorts", () => {
  it("names the setting of a port on which another program listens, and leaves none open", async () => {
    await using taken = await openPort();
    const free = await openPort();
    await free[Symbol.asyncDispose]();

    const checking = checkPorts([
      { host, port: free.port, setting: "port" },
      { host, port: taken.port, setting: "healthPort" },
    ]);

    await expect(checking).rejects.toThrow(`healthPort: another program listens on ${host}:${taken.port}: stop it`);
    await expect(checkPorts([{ host, port: free.port, setting: "port" }])).resolves.toBeUndefined();
  });

  it("permits several free ports that the system chooses", async () => {
    const places = ["port", "healthPort"].map((setting) => ({ host, port: 0, setting }));

    await expect(checkPorts(places)).resolves.toBeUndefined();
  });
});
