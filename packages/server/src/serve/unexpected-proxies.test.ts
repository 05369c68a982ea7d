import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { reportUnexpectedProxies, trustedNetworks } from "./trusted-proxies.ts";

function openServer() {
  const time = { now: 0 };
  const reported: unknown[] = [];
  const app = fastify();
  const logger = { warn: (fields: object, event: string) => void reported.push({ event, ...fields }) };
  reportUnexpectedProxies(app, { trusts: trustedNetworks(["10.1.0.0/16"]), logger, clock: { now: () => time.now } });
  app.get("/", async () => "");
  const ask = (remoteAddress: string, headers: Readonly<Record<string, string>> = { "x-forwarded-for": "1.2.3.4" }) =>
    app.inject({ url: "/", remoteAddress, headers });
  return { time, reported, ask };
}

describe("reportUnexpectedProxies", () => {
  it.each<[what: string, peer: string, headers: Readonly<Record<string, string>> | undefined, reported: number]>([
    ["an internal peer that names clients", "10.0.0.1", undefined, 1],
    ["an internal peer that names clients in Forwarded", "::1", { forwarded: "for=1.2.3.4" }, 1],
    ["an internal peer that names clients in X-Real-IP", "127.0.0.1", { "x-real-ip": "1.2.3.4" }, 1],
    ["an internal peer that names none", "10.0.0.1", {}, 0],
    ["a trusted proxy", "10.1.0.1", undefined, 0],
    ["a client in the internet", "8.8.8.8", undefined, 0],
  ])("for %s", async (_, peer, headers, count) => {
    const { ask, reported } = openServer();

    await ask(peer, headers);

    expect(reported).toHaveLength(count);
  });

  it("says once an hour which address is to be trusted", async () => {
    const { ask, time, reported } = openServer();

    for (const now of [0, 1, 3_599_999, 3_600_000]) {
      time.now = now;
      await ask("10.0.0.1");
    }

    expect(reported).toEqual(
      [0, 1].map(() => ({
        event: "proxy_not_trusted",
        address: "10.0.0.1",
        reason: expect.stringContaining("add 10.0.0.1 or its network to trustedProxies"),
      })),
    );
  });

  it("reports few of many peers", async () => {
    const { ask, reported } = openServer();

    for (let n = 0; n < 100; n++) await ask(`10.0.0.${n}`);

    expect(reported).toHaveLength(8);
  });
});
