import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { checkPorts, listenAddress, listenProblem } from "./listen-problem.ts";

describe("listenProblem", () => {
  const place = { host: "h.example", port: 80, setting: "port" };

  it.each([
    ["EACCES", "port: this user may not listen on port 80: choose one from 1024 on"],
    ["EADDRINUSE", "port: another program listens on h.example:80: stop it, or choose another port"],
    ["EADDRNOTAVAIL", "host: h.example is not an address of this machine"],
    ["EAFNOSUPPORT", "host: h.example is not an address of this machine"],
    ["ENOTFOUND", "host: the name h.example has no address"],
    ["EAI_AGAIN", "host: the name h.example has no address"],
  ])("%s", (code, expected) => {
    const problem = listenProblem(Object.assign(new Error(code), { code }), place);

    expect((problem as Error).message).toContain(expected);
  });

  it("leaves other errors unchanged", () => {
    const other = new Error("other");

    expect(listenProblem(other, place)).toBe(other);
  });
});

describe("listenAddress", () => {
  const lookUp = async () => ({ address: "::1" });

  it.each([
    ["localhost", "::1"],
    ["LocalHost", "::1"],
    ["127.0.0.1", "127.0.0.1"],
    ["::", "::"],
    ["registry.example", "registry.example"],
  ])("listens for %s at %s", async (host, expected) => {
    expect(await listenAddress(host, lookUp)).toBe(expected);
  });
});

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
