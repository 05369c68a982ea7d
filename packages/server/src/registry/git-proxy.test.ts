import { once } from "node:events";
import { type AddressInfo, createServer, type LookupFunction } from "node:net";
import { startProxyServer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitProxy, type OutgoingOptions } from "./outgoing.ts";

const server = createServer((socket) => socket.on("error", () => {}).end("hello"));
let port = 0;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);

/** The status that git gets when it asks for a connection. */
async function statusOf(host: string, options: Partial<OutgoingOptions>): Promise<number> {
  const openProxy = gitProxy({ allowedInternalHosts: [], onRefused: () => {}, lookup, ...options });
  await using tunnels = await openProxy();
  const { hostname, port: at, username, password } = new URL(tunnels.url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const { request } = process.getBuiltinModule("node:http");
  const headers = { "proxy-authorization": authorization };
  const asked = request({ host: hostname, port: at, method: "CONNECT", path: `${host}:${port}`, headers }).end();
  const [response, socket] = await once(asked, "connect");
  socket.destroy();
  return response.statusCode;
}

describe("gitProxy", () => {
  it.each([
    ["an internal address", "127.0.0.1", 403],
    ["a name that leads to one", "git.example", 502],
  ])("does not connect to %s", async (_, host, status) => {
    expect(await statusOf(host, {})).toBe(status);
  });

  it.each(["httpProxy", "httpsProxy"])(
    "does not ask %s for an internal address, where a redirect may lead",
    async (name) => {
      await using proxy = await startProxyServer();

      expect(await statusOf("127.0.0.1", { proxy: { [name]: proxy.url } })).toBe(403);
      expect(proxy.requests).toEqual([]);
    },
  );

  it.each(["httpProxy", "httpsProxy"])("connects through %s", async (name) => {
    await using proxy = await startProxyServer();
    proxy.lead("git.example", port);

    expect(await statusOf("git.example", { proxy: { [name]: proxy.url } })).toBe(200);
    expect(proxy.requests).toMatchObject([{ line: `CONNECT git.example:${port}` }]);
  });

  it("connects directly, with the same guard, to hosts of noProxy", async () => {
    await using proxy = await startProxyServer();
    const settings = { httpsProxy: proxy.url, noProxy: "other.example, git.example" };

    expect(await statusOf("git.example", { proxy: settings })).toBe(502);
    expect(
      await statusOf("127.0.0.1", {
        proxy: { ...settings, noProxy: "127.0.0.1" },
        allowedInternalHosts: ["127.0.0.0/8"],
      }),
    ).toBe(200);
    expect(proxy.requests).toEqual([]);
  });

  it("connects to what the configuration allows", async () => {
    expect(await statusOf("127.0.0.1", { allowedInternalHosts: ["127.0.0.0/8"] })).toBe(200);
  });
});
