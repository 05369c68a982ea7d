import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressGuard } from "./address-guard.ts";
import type { RefusedAddress } from "./guarded-connector.ts";
import { type Outbound, openOutbound } from "./outbound.ts";

const limits = { connectMs: 5_000, idleMs: 5_000 };

/** Answers with the received headers; `/to?ADDRESS` redirects. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const [path, target = ""] = (request.url ?? "").split("?");
  if (path === "/to") return void response.writeHead(302, { location: decodeURIComponent(target) }).end();
  response.end(JSON.stringify(request.headers));
}

async function listen(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let here: Awaited<ReturnType<typeof listen>>;
let there: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  [here, there] = [await listen(), await listen()];
});
afterAll(() => {
  here.server.close();
  there.server.close();
});

const to = (origin: string, target: string) => new URL(`${origin}/to?${encodeURIComponent(target)}`);
const seenBy = async (outbound: Outbound, url: URL) => {
  const headers = { accept: "text/plain" };
  const { body } = await outbound.send({ url, headers, originHeaders: { authorization: "Basic secret" } });
  return JSON.parse(await text(body)) as Record<string, string>;
};

describe("openOutbound", () => {
  it("sends the headers of an origin only to that origin, also after redirects away and back", async () => {
    await using outbound = openOutbound({ policy: "trusted", ...limits });
    expect(await seenBy(outbound, new URL(here.origin))).toMatchObject({ authorization: "Basic secret" });
    expect(await seenBy(outbound, to(here.origin, "/"))).toMatchObject({ authorization: "Basic secret" });
    for (const target of [there.origin, to(there.origin, here.origin).href]) {
      const seen = await seenBy(outbound, to(here.origin, target));
      expect(seen).toMatchObject({ accept: "text/plain" });
      expect(seen).not.toHaveProperty("authorization");
    }
  });

  it.each([
    ["ftp://127.0.0.1/", "a redirect to an address that is not http(s), or that has user information"],
    ["http://user:secret@127.0.0.1/", "a redirect to an address that is not http(s), or that has user information"],
    ["http://", "a redirect to an address that is not http(s), or that has user information"],
  ])("does not follow a redirect to %s", async (target, found) => {
    await using outbound = openOutbound({ policy: "trusted", ...limits });
    const sent = outbound.send({ url: to(here.origin, target) });
    await expect(sent).rejects.toMatchObject({ name: "RefusedRedirect", message: found });
  });

  it("does not follow circular redirects", async () => {
    await using outbound = openOutbound({ policy: "trusted", ...limits });
    const circle = new URL("/to?%2Fto%3F", here.origin);
    const server = createServer((_, response) => void response.writeHead(302, { location: "/" }).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    circle.port = String((server.address() as AddressInfo).port);
    await expect(outbound.send({ url: circle })).rejects.toMatchObject({ message: "more than 5 redirects" });
    server.close();
  });

  it("follows no redirect from TLS to plain HTTP, except to hosts that may use it", async () => {
    const { followRedirect } = await import("./redirects.ts");
    const from = new URL("https://example.com/a");
    expect(() => followRedirect("http://example.com/b", from, () => false)).toThrow("gives up TLS");
    expect(followRedirect("http://example.com/b", from, () => true).href).toBe("http://example.com/b");
    expect(followRedirect("b", from, () => false).href).toBe("https://example.com/b");
  });
});

describe("the guard of a policy", () => {
  const refused: RefusedAddress[] = [];
  const guarded = (allowed: readonly string[], addresses: readonly string[] = ["127.0.0.1"]) =>
    openOutbound({
      policy: {
        guard: addressGuard(allowed),
        onRefused: (found) => refused.push(found),
        lookup: (_host, _options, callback) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
      },
      ...limits,
    });
  const named = () => new URL(here.origin.replace("127.0.0.1", "internal.example"));

  it.each([
    ["an address", () => new URL(here.origin)],
    ["a name that resolves to it", named],
  ])("refuses %s, by both ways to send", async (_, url) => {
    await using outbound = guarded([]);
    refused.length = 0;
    await expect(outbound.send({ url: url() })).rejects.toMatchObject({ code: "not_permitted" });
    await expect(outbound.fetch(url())).rejects.toMatchObject({ cause: { code: "not_permitted" } });
    expect(refused.map(({ addresses }) => addresses)).toEqual([["127.0.0.1"], ["127.0.0.1"]]);
  });

  it("rejects the target of a redirect, with both ways to send", async () => {
    await using outbound = guarded(["127.0.0.1"]);
    const url = to(here.origin, "http://10.0.0.1/");
    await expect(outbound.send({ url })).rejects.toMatchObject({ code: "not_permitted" });
    await expect(outbound.fetch(url)).rejects.toMatchObject({ cause: { code: "not_permitted" } });
  });

  it("connects to additionally allowed networks", async () => {
    await using outbound = guarded(["127.0.0.0/8"], ["10.0.0.1", "127.0.0.1"]);
    for (const url of [new URL(here.origin), named()])
      expect(await outbound.send({ url })).toMatchObject({ status: 200 });
    expect((await outbound.fetch(named())).status).toBe(200);
  });

  it("rejects an address in the URL before it asks a proxy", async () => {
    const policy = { guard: addressGuard() };
    const proxy = { httpProxy: here.origin, httpsProxy: here.origin, noProxy: "none" };
    await using outbound = openOutbound({ policy, proxy, ...limits });
    await expect(outbound.send({ url: new URL("http://10.0.0.1/") })).rejects.toMatchObject({ code: "not_permitted" });
  });
});
