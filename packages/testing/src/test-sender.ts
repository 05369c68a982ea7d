import { Readable } from "node:stream";
import { Agent } from "undici";
import type { TestArrival } from "./arrivals.ts";
import { loopbackCertificate } from "./loopback-certificate.ts";
import { type TestTransport, transportOptions } from "./transports.ts";

/** A request of a test. */
export interface TestRequest {
  readonly method: string;
  /** Path and query; sent unchanged. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A complete response. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A server of tests; a Fastify instance fits. */
export interface TestApp {
  inject(request: object): PromiseLike<{ statusCode: number; headers: object; body: string }>;
  listen(options: { host: string; port: number }): Promise<string>;
  close(): PromiseLike<unknown>;
}

/** Sends requests to one server, over a real transport or without a socket. Disposing closes what was opened for it. */
export interface TestSender extends AsyncDisposable {
  /** How requests are sent from now on; undefined is without a socket. */
  arrival: TestArrival | undefined;
  send(request: TestRequest): Promise<TestResponse>;
  /** The origin where the server listens for a transport: for other clients. */
  originOver(transport: TestTransport): Promise<string>;
}

/** Options of {@link createTestSender}. */
export interface TestSenderOptions {
  /** The server without a socket. */
  readonly app: Pick<TestApp, "inject">;
  /** Creates the same server with these additional options of Fastify; called once per used transport. */
  createApp(options: object): TestApp;
  /** The initial arrival. */
  readonly arrival?: TestArrival | undefined;
}

/**
 * Creates a sender, which separates tests of an API from the transport of their requests. Each transport has one server, which
 * starts to listen with the first request.
 *
 * @example
 * await using sender = createTestSender({ app, createApp });
 * sender.arrival = arrivalOver("TLS with HTTP/2", "left out");
 * const { status } = await sender.send({ method: "POST", url: "/api/v1/messages", body: "{}" });
 */
export function createTestSender({ app, createApp, arrival }: TestSenderOptions): TestSender {
  const served = new Map<TestTransport, Promise<ServedApp>>();
  const servedOver = (transport: TestTransport) => {
    const known = served.get(transport) ?? serve(createApp(transportOptions(transport)), transport);
    served.set(transport, known);
    return known;
  };
  return {
    arrival,
    async send(request) {
      if (this.arrival === undefined) return inject(app, request);
      const { ask } = await servedOver(this.arrival.transport);
      return ask(request, this.arrival.contentLength);
    },
    originOver: async (transport) => (await servedOver(transport)).origin,
    async [Symbol.asyncDispose]() {
      await Promise.all([...served.values()].map(async (each) => (await each).close()));
    },
  };
}

async function inject(
  app: Pick<TestApp, "inject">,
  { method, url, headers = {}, body }: TestRequest,
): Promise<TestResponse> {
  const payload = typeof body === "string" ? body : body && Buffer.from(body);
  const response = await app.inject({ method, url, headers, payload });
  return { status: response.statusCode, headers: { ...response.headers }, text: response.body };
}

interface ServedApp {
  readonly origin: string;
  ask(request: TestRequest, contentLength: TestArrival["contentLength"]): Promise<TestResponse>;
  close(): Promise<void>;
}

async function serve(app: TestApp, transport: TestTransport): Promise<ServedApp> {
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({
    allowH2: transport === "TLS with HTTP/2",
    connect: { ca: loopbackCertificate().cert },
    headersTimeout: 60_000,
  });
  return {
    origin,
    async ask({ method, url, headers = {}, body }, contentLength) {
      const sent = body === undefined || contentLength === "given" ? body : Readable.from(piecesOf(body));
      const asked = { origin, path: url, method: method as "GET", headers, body: sent ?? null };
      const response = await agent.request<undefined>(asked);
      return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
    },
    async close() {
      await agent.destroy();
      await app.close();
    },
  };
}

/** A body whose length the client does not know in advance. */
async function* piecesOf(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (half < bytes.length) yield bytes.subarray(half);
}
