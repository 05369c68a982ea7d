import { Agent, type RequestInit as AgentInit, fetch } from "undici";
import { type LoopbackCertificate, loopbackCertificate } from "./loopback-certificate.ts";

/** The ways in which a client reaches a server. */
export const testTransports = ["HTTP/1.1", "TLS with HTTP/1.1", "TLS with HTTP/2"] as const;

/** One of {@link testTransports}. */
export type TestTransport = (typeof testTransports)[number];

/** The transport of tests that do not choose one: HTTP/1.1, or the one that `PLIMSOLL_TEST_TRANSPORT` names. */
export function usualTestTransport(): TestTransport {
  const wanted = process.env.PLIMSOLL_TEST_TRANSPORT ?? "HTTP/1.1";
  const found = testTransports.find((each) => each === wanted);
  if (found !== undefined) return found;
  throw new Error(`PLIMSOLL_TEST_TRANSPORT: expected one of ${testTransports.join(", ")}, found ${wanted}`);
}

/** The transports that long tests use: the usual one; all where `PLIMSOLL_TEST_ALL_TRANSPORTS` is set. */
export function fullTestTransports(): readonly TestTransport[] {
  return process.env.PLIMSOLL_TEST_ALL_TRANSPORTS === undefined ? [usualTestTransport()] : testTransports;
}

/** A client of one transport. Disposing closes its connections. */
export interface TransportClient extends AsyncDisposable {
  readonly scheme: "http" | "https";
  /** Like the global `fetch`. A stream body is sent without `Content-Length`. */
  readonly fetch: typeof globalThis.fetch;
}

/** The options of a Fastify instance for a transport; HTTP/2 and HTTP/1.1 share a listener, as in the product. */
export function transportOptions(transport: TestTransport): object {
  if (transport === "HTTP/1.1") return {};
  const { cert, key } = loopbackCertificate();
  return { http2: true, https: { cert, key, allowHTTP1: true, allowHalfOpen: true } };
}

/**
 * Opens a client that uses a transport and trusts the certificate of tests.
 *
 * @example
 * await using client = openTransportClient("TLS with HTTP/2");
 * const response = await client.fetch(`${client.scheme}://127.0.0.1:${port}/v2/`);
 */
export function openTransportClient(
  transport: TestTransport,
  certificate: LoopbackCertificate = loopbackCertificate(),
): TransportClient {
  const allowH2 = transport === "TLS with HTTP/2";
  const agent = new Agent({ allowH2, connect: { ca: certificate.cert }, headersTimeout: 60_000 });
  return {
    scheme: transport === "HTTP/1.1" ? "http" : "https",
    fetch: ((url: string | URL, init: RequestInit = {}) =>
      fetch(url, { ...(init as unknown as AgentInit), dispatcher: agent })) as unknown as typeof globalThis.fetch,
    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}
