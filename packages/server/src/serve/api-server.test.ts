import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type ConnectionOptions, connect } from "node:tls";
import { loopbackCertificate, openTransportClient, testTransports } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { createApiServer } from "./api-server.ts";

const api = {
  operations: [],
  mediaTypes: () => ["application/json"],
  errors: {},
  errorTrailer: "error",
  maxBodyBytes: 1000,
  contentTypes: "ignored",
} as const;
const { cert, key } = loopbackCertificate();

/** Starts a server with or without a certificate. */
async function start(tls: { readonly cert: Buffer; readonly key: Buffer } | undefined) {
  const app = createApiServer({
    api,
    logger: pino({ level: "silent" }),
    clock: { now: () => Date.now() },
    metrics: createMetrics(),
    ignoreTrailingSlash: false,
    ...(tls && { tls }),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { port: (app.server.address() as AddressInfo).port, [Symbol.asyncDispose]: () => app.close() };
}

/** The version of TLS in which a client is answered, or the code of the alert that ends its handshake. */
async function handshake(port: number, offered: ConnectionOptions): Promise<string | null> {
  const socket = connect({ port, host: "127.0.0.1", ca: cert, ...offered });
  const refused = await once(socket, "secureConnect").then(
    () => undefined,
    ({ code }) => String(code),
  );
  if (refused !== undefined) return refused;
  const version = socket.getProtocol();
  socket.write("GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  return version;
}

const noSuite = "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE";
const noVersion = "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION";

describe("createApiServer", () => {
  it.each(testTransports)("tells browsers to come by TLS from now on, over %s", async (transport) => {
    await using client = openTransportClient(transport);
    await using server = await start(client.scheme === "https" ? { cert, key } : undefined);
    const ask = (path: string) => client.fetch(`${client.scheme}://127.0.0.1:${server.port}${path}`);

    const answers = [await ask("/robots.txt"), await ask("/nothing-is-here")];

    const expected = client.scheme === "https" ? "max-age=31536000" : null;
    expect(answers.map(({ status, headers }) => [status, headers.get("strict-transport-security")])).toEqual([
      [200, expected],
      [404, expected],
    ]);
  });

  it.each<{ readonly offered: ConnectionOptions; readonly ends: string }>([
    { offered: {}, ends: "TLSv1.3" },
    { offered: { maxVersion: "TLSv1.2" }, ends: "TLSv1.2" },
    {
      offered: { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256" },
      ends: "TLSv1.2",
    },
    { offered: { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256" }, ends: noSuite },
    { offered: { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES256-SHA:ECDHE-ECDSA-AES256-SHA" }, ends: noSuite },
    { offered: { maxVersion: "TLSv1.2", ciphers: "AES128-SHA:AES256-SHA256:AES128-GCM-SHA256" }, ends: noSuite },
    { offered: { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" }, ends: noVersion },
  ])("ends the handshake of a client that offers $offered with $ends", async ({ offered, ends }) => {
    await using server = await start({ cert, key });

    expect(await handshake(server.port, offered)).toBe(ends);
  });
});
