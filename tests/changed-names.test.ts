/**
 * Names whose addresses change between the check and the connection (DNS rebinding), for every road on which a client chooses the host.
 */
import { createServer } from "node:http";
import { type AddressInfo, connect, type LookupFunction } from "node:net";
import { parseDigest } from "@plimsoll/core/digest";
import { openLayerFetcher } from "@plimsoll/indexer";
import { addressGuard } from "@plimsoll/outbound";
import { collectBytes } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { federatedTokens } from "../packages/registry-adapters/src/oidc/federated-tokens.ts";
import { gitProxy, type OutgoingOptions, openOutgoing } from "../packages/server/src/registry/outgoing.ts";
import { guardedBaseImages, guardedUpstreams } from "../packages/server/src/registry/upstreams.ts";

const digest = parseDigest(`sha256:${"a".repeat(64)}`);
const login = { username: "a", password: "b" };
const own = { scheme: "https", host: "registry.example", login } as const;

/** Sends a request to the port of a name. */
type Road = (port: number, options: OutgoingOptions) => Promise<unknown>;

const roads: Readonly<Record<string, Road>> = {
  "a webhook or an archive": async (port, options) => {
    await using outgoing = openOutgoing(options);
    await outgoing.send(`http://changed.example:${port}/`);
  },
  "a layer": async (port, { lookup }) => {
    const retry = { attempts: 1 };
    await using fetcher = openLayerFetcher({ guard: addressGuard(), retry, lookup });
    await collectBytes(fetcher.fetchLayer({ digest, uri: `http://changed.example:${port}/`, headers: {} }));
  },
  "a git repository": async (port, options) => {
    const tunnels = await gitProxy(options)();
    await using _ = tunnels;
    const { port: proxyPort, username, password } = new URL(tunnels.url);
    const authorization = Buffer.from(`${username}:${password}`).toString("base64");
    const socket = connect({ host: "127.0.0.1", port: Number(proxyPort) });
    socket.write(`CONNECT changed.example:${port} HTTP/1.1\r\nproxy-authorization: Basic ${authorization}\r\n\r\n`);
    const chunks = await collectBytes(socket);
    if (!chunks.toString().startsWith("HTTP/1.1 200"))
      throw new Error("refused: its address is not on the public internet");
  },
  "a mirror or a proxy cache": async (port, options) => {
    const address = { host: `changed.example:${port}`, path: "app", verifiesTls: false, isWaitedFor: true };
    await using repository = await guardedUpstreams(options).open(address);
    await repository.fetchManifest("latest");
  },
  "the proxy of a mirror": async (port, options) => {
    const proxy = { httpProxy: `http://changed.example:${port}`, httpsProxy: `http://changed.example:${port}` };
    const address = { host: "outside.example", path: "app", verifiesTls: false, isWaitedFor: true, proxy };
    await using repository = await guardedUpstreams(options).open(address);
    await repository.fetchManifest("latest");
  },
  "the issuer of a robot's tokens": async (port, options) => {
    await using outgoing = openOutgoing(options);
    const tokens = federatedTokens({ ask: (url, init) => outgoing.send(url, init) });
    const unsigned = `${['{"alg":"RS256"}', "{}"].map((part) => Buffer.from(part).toString("base64url")).join(".")}.x`;
    const expected = { issuer: `https://changed.example:${port}`, subject: "s", audiences: ["a"], now: Date.now() };
    await tokens.verify(unsigned, expected);
  },
  "a base image": async (port, options) => {
    await using repository = await guardedBaseImages(options).open(
      { host: `changed.example:${port}`, path: "app" },
      own,
    );
    await repository.fetchManifest("latest");
  },
};

const answers: readonly (readonly [string, string, 4 | 6])[] = [
  ["an internal IPv4 address", "127.0.0.1", 4],
  ["an internal IPv6 address", "::1", 6],
  ["a mapped address", "::ffff:127.0.0.1", 6],
  ["the address of any", "0.0.0.0", 4],
];

let connections = 0;
const server = createServer((_, response) => response.end("{}")).on("connection", () => connections++);
const port = () => (server.address() as AddressInfo).port;
beforeAll(() => new Promise<void>((done) => server.listen(0, "::", done)));
afterAll(() => void server.close());

/** Answers the check with a public address, and each later question with another one. */
function changing(address: string, family: 4 | 6): LookupFunction {
  let asked = 0;
  return (_, options, callback) => {
    const found = asked++ === 0 ? { address: "93.184.215.14", family: 4 } : { address, family };
    return options.all === true ? callback(null, [found]) : callback(null, found.address, found.family);
  };
}

describe.each(Object.entries(roads))("%s", (_, road) => {
  it.each(answers)("does not follow a name to %s after the check", async (_, address, family) => {
    const options = { allowedInternalHosts: [], onRefused: () => {}, lookup: changing(address, family) };
    await using outgoing = openOutgoing(options);
    await outgoing.check("changed.example");
    const before = connections;

    const error: unknown = await road(port(), options).catch((thrown: unknown) => thrown);

    expect([messagesOf(error), connections - before]).toEqual([expect.stringMatching(/not on the public internet/), 0]);
  });
});

it("a proxy of a mirror is not an internal address", async () => {
  const options = { allowedInternalHosts: [], onRefused: () => {} };
  const proxy = { httpProxy: `http://127.0.0.1:${port()}`, httpsProxy: `http://127.0.0.1:${port()}` };
  const address = { host: "outside.example", path: "app", verifiesTls: false, isWaitedFor: true, proxy };
  await using repository = await guardedUpstreams(options).open(address);
  const before = connections;

  const error: unknown = await repository.fetchManifest("latest").catch((thrown: unknown) => thrown);

  expect([messagesOf(error), connections - before]).toEqual([expect.stringMatching(/not on the public internet/), 0]);
});

it("an allowed name may not lead to another internal host", async () => {
  const lookup: LookupFunction = (_, asked, callback) =>
    asked.all === true ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);
  const inner = `http://other.example:${port()}/`;
  const leading = createServer((_, response) => response.writeHead(302, { location: inner }).end());
  await new Promise<void>((done) => leading.listen(0, "127.0.0.1", done));
  await using outgoing = openOutgoing({ allowedInternalHosts: ["allowed.example"], onRefused: () => {}, lookup });
  const before = connections;

  const url = `http://allowed.example:${(leading.address() as AddressInfo).port}/`;
  const error: unknown = await outgoing.send(url).catch((thrown: unknown) => thrown);
  leading.close();

  expect([messagesOf(error), connections - before]).toEqual([expect.stringMatching(/not on the public internet/), 0]);
});

function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messagesOf(error.cause)}` : "";
}
