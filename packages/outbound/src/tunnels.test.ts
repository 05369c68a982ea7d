import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer, type LookupFunction, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressGuard } from "./address-guard.ts";
import { startTunnels, type TunnelOptions } from "./tunnels.ts";

const echo = createServer((socket) => socket.pipe(socket));
let port = 0;

beforeAll(async () => {
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  port = (echo.address() as AddressInfo).port;
});

afterAll(() => echo.close());

const trusted: TunnelOptions = { policyOf: () => "trusted", maxBytes: 1000 };
const guarded: TunnelOptions = { policyOf: () => ({ guard: addressGuard() }), maxBytes: 1000 };
const inside: LookupFunction = (_name, _asked, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);
const named: TunnelOptions = { policyOf: () => ({ guard: addressGuard(), lookup: inside }), maxBytes: 1000 };

/** Requests a connection from the proxy. */
async function open(url: string, target: string): Promise<{ readonly status: number; readonly socket: Socket }> {
  const { hostname, port: at, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const headers = username === "" ? {} : { "proxy-authorization": authorization };
  const asked = request({ host: hostname, port: at, method: "CONNECT", path: target, headers }).end();
  const [response, socket] = (await once(asked, "connect")) as [{ readonly statusCode: number }, Socket];
  socket.on("error", () => {});
  return { status: response.statusCode, socket };
}

describe("startTunnels", () => {
  it("forwards bytes in both directions", async () => {
    await using tunnels = await startTunnels(trusted);
    const { status, socket } = await open(tunnels.url, `127.0.0.1:${port}`);
    socket.write("hello");

    expect(status).toBe(200);
    expect(String((await once(socket, "data"))[0])).toBe("hello");
  });

  it.each<readonly [title: string, options: TunnelOptions, host: string, status: number]>([
    ["an internal address", guarded, "127.0.0.1", 403],
    ["an internal address of IPv6", guarded, "[::1]", 403],
    ["a name with an internal address", named, "git.example", 502],
    ["no host", trusted, "", 403],
  ])("refuses %s", async (_, options, host, status) => {
    await using tunnels = await startTunnels(options);

    expect((await open(tunnels.url, `${host}:${port}`)).status).toBe(status);
  });

  it("rejects programs without its password, and other requests", async () => {
    await using tunnels = await startTunnels(trusted);
    const { origin } = new URL(tunnels.url);

    expect((await open(origin, `127.0.0.1:${port}`)).status).toBe(407);
    const asked = request(`${origin}/`).end();
    const [response] = (await once(asked, "response")) as [{ readonly statusCode: number }];
    expect(response.statusCode).toBe(405);
  });

  it("closes connections that exceed the limit", async () => {
    await using tunnels = await startTunnels(trusted);
    const { socket } = await open(tunnels.url, `127.0.0.1:${port}`);

    socket.resume().write(Buffer.alloc(2000));

    await once(socket, "close");
  });
});
