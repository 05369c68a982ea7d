import { Readable } from "node:stream";
import { Agent } from "undici";
import type { TestArrival } from "./arrivals.ts";
import { loopbackCertificate } from "./loopback-certificate.ts";
import { type TestTransport, transportOptions } from "./transports.ts";

/** A request of a test. */
export interface TestRequest {
  readonly method: string;
  /** From the first slash on; sent as it is. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer, whole. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** What a server of tests is used by: a Fastify instance has it. */
export interface TestApp {
  inject(request: object): PromiseLike<{ statusCode: number; headers: object; body: string }>;
  listen(options: { host: string; port: number }): Promise<string>;
  close(): PromiseLike<unknown>;
}

/** Sends requests to one server as they arrive in life. Disposing closes what was opened for it. */
export interface TestSender extends AsyncDisposable {
  /** How requests arrive from now on; without a socket where undefined. */
  arrival: TestArrival | undefined;
  send(request: TestRequest): Promise<TestResponse>;
  /** Where the server listens for a transport: for clients that are not of the tests. */
  originOver(transport: TestTransport): Promise<string>;
}

/** What {@link createTestSender} needs. */
export interface TestSenderOptions {
  /** The server without a socket. */
  readonly app: Pick<TestApp, "inject">;
  /** Makes a server like it that has these options of Fastify besides; called once for each transport that is used. */
  createApp(options: object): TestApp;
  /** At first. */
  readonly arrival?: TestArrival | undefined;
}

/**
 * Makes the seam between tests of an API and the way their requests take: each transport has one server, which listens from
 * the first request over it on.
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
  const response = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
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

/** A body whose length the client does not know before it has sent it. */
async function* piecesOf(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (half < bytes.length) yield bytes.subarray(half);
}
