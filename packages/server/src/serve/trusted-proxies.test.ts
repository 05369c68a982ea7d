import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { applyTrustedProxies, trustedNetworks } from "./trusted-proxies.ts";

const trusts = trustedNetworks(["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]);
const proxy = "10.0.0.1";
const client = "198.51.100.7";

const app = fastify({ trustProxy: (address) => trusts(address) });
applyTrustedProxies(app, trusts);
app.get("/", async ({ ip, protocol, host }) => [ip, protocol, host]);

const ask = async (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  (await app.inject({ url: "/", remoteAddress, headers: { host: "own:5000", ...headers } })).json();

describe("applyTrustedProxies", () => {
  it.each<[what: string, peer: string, headers: Readonly<Record<string, string>>, expected: readonly string[]]>([
    ["nothing", proxy, {}, [proxy, "http", "own:5000"]],
    ["a client", proxy, { "x-forwarded-for": client }, [client, "http", "own:5000"]],
    [
      "an invented client before the real one",
      proxy,
      { "x-forwarded-for": `1.1.1.1, ${client}` },
      [client, "http", "own:5000"],
    ],
    ["a client behind two proxies", proxy, { "x-forwarded-for": `${client}, 10.9.9.9` }, [client, "http", "own:5000"]],
    ["proxies alone", proxy, { "x-forwarded-for": "10.7.7.7, 10.9.9.9" }, ["10.7.7.7", "http", "own:5000"]],
    ["a port beside the client", proxy, { "x-forwarded-for": `${client}:4711` }, [client, "http", "own:5000"]],
    ["no address", proxy, { "x-forwarded-for": "unknown" }, [proxy, "http", "own:5000"]],
    ["an unknown hop before a proxy", proxy, { "x-forwarded-for": "x, 10.9.9.9" }, ["10.9.9.9", "http", "own:5000"]],
    [
      "scheme and host",
      proxy,
      { "x-forwarded-proto": "https", "x-forwarded-host": "r.example.com" },
      [proxy, "https", "r.example.com"],
    ],
    ["no host", proxy, { "x-forwarded-host": 'r.example.com"/><script>' }, [proxy, "http", "own:5000"]],
    ["another scheme", proxy, { "x-forwarded-proto": "gopher" }, [proxy, "http", "own:5000"]],
    [
      "an element of Forwarded",
      "192.0.2.1",
      { forwarded: 'for="[2001:db9::7]:80";proto=https;host=r.example.com' },
      ["2001:db9::7", "https", "r.example.com"],
    ],
    [
      "elements of Forwarded",
      proxy,
      { forwarded: `for=1.1.1.1, for=${client}, for=10.1.1.1` },
      [client, "http", "own:5000"],
    ],
    [
      "all, as a stranger",
      client,
      { "x-forwarded-for": "10.1.1.1", "x-forwarded-proto": "https", "x-forwarded-host": "x" },
      [client, "http", "own:5000"],
    ],
  ])("of %s from %s takes what is to be believed", async (_, peer, headers, expected) => {
    expect(await ask(peer, headers)).toEqual(expected);
  });
});

describe("trustedNetworks", () => {
  it.each([
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["2001:db8:1::1", true],
    ["192.0.2.2", false],
    ["x", false],
  ])("of %s is %s", (address, expected) => {
    expect(trusts(address)).toBe(expected);
  });

  it.each(["10.0.0.0/33", "proxy", "10.0.0.0/8/8", "10.0.0.0/", ""])("rejects %j", (network) => {
    expect(() => trustedNetworks([network])).toThrow("trustedProxies: expected addresses and networks");
  });
});
