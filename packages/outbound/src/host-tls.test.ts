import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { loopbackCertificate } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostTls } from "./dispatcher.ts";
import { openOutbound } from "./outbound.ts";

const { cert, key } = loopbackCertificate();
const authority: HostTls = { ca: cert.toString() };
const withClient: HostTls = { ...authority, clientCertificate: { certificate: cert.toString(), key: key.toString() } };
const unverified: HostTls = { isVerified: false };
const limits = { policy: "trusted", connectMs: 5_000, idleMs: 5_000 } as const;

/** Answers whether it received a certificate. */
let server: Server;
/** Redirects to the other. */
let redirecting: ReturnType<typeof createPlainServer>;
const addressOf = (of: Pick<Server, "address">) => `127.0.0.1:${(of.address() as AddressInfo).port}`;

beforeAll(async () => {
  const asking = { cert, key, ca: [cert], requestCert: true, rejectUnauthorized: false };
  server = createServer(asking, (request, response) => {
    // Not `authorized`: in older versions of Node it is true for every resumed session.
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    response.end(subject === undefined ? "unknown" : "known");
  });
  redirecting = createPlainServer((_, response) => {
    response.writeHead(302, { location: `https://${addressOf(server)}/` }).end();
  });
  for (const each of [server, redirecting]) await new Promise<void>((done) => each.listen(0, "127.0.0.1", done));
});
afterAll(() => {
  for (const each of [server, redirecting]) each.close();
});

const rows = [
  { case: "a client certificate", tls: withClient, answer: "known" },
  { case: "none", tls: authority, answer: "unknown" },
  { case: "a certificate that is not verified", tls: unverified, answer: "unknown" },
];

describe("TLS with a host", () => {
  it.each(rows)("with both ways to send, with $case", async ({ tls, answer }) => {
    await using outbound = openOutbound({ ...limits, tls: () => tls });
    const url = new URL(`https://${addressOf(server)}/`);

    expect(await text((await outbound.send({ url })).body)).toBe(answer);
    expect(await text((await outbound.fetch(url)).body ?? Readable.from([]))).toBe(answer);
  });

  it.each(rows)("is that of the host to which a redirect leads, with $case", async ({ tls, answer }) => {
    const other: HostTls = {};
    await using outbound = openOutbound({ ...limits, tls: (host) => (host === addressOf(server) ? tls : other) });
    const url = new URL(`http://${addressOf(redirecting)}/`);

    expect(await text((await outbound.send({ url })).body)).toBe(answer);
    expect(await text((await outbound.fetch(url)).body ?? Readable.from([]))).toBe(answer);
  });

  it("trusts only the platform's certificates by default", async () => {
    await using outbound = openOutbound(limits);
    const url = new URL(`https://${addressOf(server)}/`);
    const refused = expect.objectContaining({ code: expect.stringMatching(/SELF_SIGNED|CERT/) });

    await expect(outbound.send({ url })).rejects.toEqual(refused);
    await expect(outbound.fetch(url)).rejects.toMatchObject({ cause: refused });
  });
});
