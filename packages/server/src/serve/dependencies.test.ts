import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { defaultServiceSettings, type ServiceSettings } from "../config/service-settings.ts";
import { judgeReadiness } from "../health/readiness.ts";
import { dependenciesOf } from "./dependencies.ts";
import type { WritesRefused } from "./open-database.ts";
import { watchOutage } from "./outages.ts";
import type { Outages } from "./service-parts.ts";

/** A server that accepts connections and sends nothing. */
async function startSilent() {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    open.add(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

const logger = { warn: () => {}, info: () => {} };
const names = ["indexer", "matcher", "notifications", "blobs", "mail", "directory"] as const;

/** The readiness of a node whose mail and directory are on that port. */
function openReadiness(port: number, more: object = {}) {
  const identityProviders = new Map([["corp", watchOutage(logger, "identity provider corp")]]);
  const watched = Object.fromEntries(names.map((name) => [name, watchOutage(logger, name)]));
  const outages = { ...watched, identityProviders } as unknown as Outages;
  const registry = { ...more, mail: { url: `smtp://127.0.0.1:${port}` }, ldap: { url: `ldap://127.0.0.1:${port}` } };
  const settings = { ...defaultServiceSettings, modes: ["registry"], registry } as unknown as ServiceSettings;
  const time = { now: 0 };
  const writes: WritesRefused = {};
  const clock = { now: () => time.now };
  const dependencies = dependenciesOf({ settings, checkDatabase: async () => {}, writes, outages, clock });
  const ready = judgeReadiness({ dependencies, stopping: () => undefined, clock });
  return { outages, writes, time, ready };
}

describe("dependenciesOf", () => {
  it("reports mail and directory, without which requests are still served, and checks them at most twice a minute", async () => {
    await using server = await startSilent();
    const { outages, time, ready } = openReadiness(server.port);

    const first = await ready();
    for (time.now = 2_000; time.now < 30_000; time.now += 2_000) await ready();
    await expect.poll(server.connections).toBe(2); // one of each
    outages.mail.failed(new Error("535 wrong password"));
    const refused = await ready();
    await server[Symbol.asyncDispose]();
    outages.mail.worked();
    time.now = 60_000;
    const gone = await ready();

    const without = "failed (requests are answered without it)";
    expect(first).toMatchObject({
      isReady: true,
      text: "ok\ndatabase: ok\ndatabase writes: ok\nmail: ok\ndirectory: ok\n",
    });
    expect(refused.text).toContain(`mail: ${without}: 535 wrong password\ndirectory: ok\n`);
    expect(gone.isReady).toBe(true);
    for (const name of ["mail", "directory"]) expect(gone.text).toContain(`${name}: ${without}: connect ECONNREFUSED`);
  });

  it("reports identity providers, without which requests are still served", async () => {
    await using server = await startSilent();
    const oidcProviders = [{ service: "corp", issuer: `http://127.0.0.1:${server.port}/tenant` }];
    const { outages, time, ready } = openReadiness(server.port, { oidcProviders });
    const behindProxy = openReadiness(1, { oidcProviders, proxy: {} });
    const line = ({ text }: { readonly text: string }) => text.split("\n").find((each) => each.startsWith("identity"));

    const first = await ready();
    outages.identityProviders.get("corp")?.failed(new Error("invalid_client"));
    time.now = 2_000;
    const refused = await ready();
    await server[Symbol.asyncDispose]();
    outages.identityProviders.get("corp")?.worked();
    time.now = 60_000;
    const gone = await ready();

    expect(line(first)).toBe("identity provider corp: ok");
    expect(line(refused)).toBe("identity provider corp: failed (requests are answered without it): invalid_client");
    expect(line(gone)).toContain("connect ECONNREFUSED");
    expect([first.isReady, refused.isReady, gone.isReady]).toEqual([true, true, true]);
    expect(line(await behindProxy.ready())).toBe("identity provider corp: ok");
  });

  it("reports that the database rejects writes; requests are still served", async () => {
    const { writes, ready } = openReadiness(1);
    writes.reason = "the disk is full";

    const { isReady, text } = await ready();

    expect(isReady).toBe(true);
    expect(text).toContain(
      "database: ok\ndatabase writes: failed (requests are answered without it): the disk is full\n",
    );
  });
});
