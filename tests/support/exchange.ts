import { once } from "node:events";
import { request } from "node:http";
import { connect, constants } from "node:http2";
import { request as requestTls } from "node:https";
import { connect as connectSocket } from "node:net";
import { loopbackCertificate, type TestArrival } from "@plimsoll/testing";

/** A request of a test. A body that is no text is sent as JSON. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
  /** Whether `Content-Length` tells of a body; by HTTP/1.1 it does unless left out, by HTTP/2 it does not unless given. */
  readonly contentLength?: TestArrival["contentLength"];
  /** Leaves out the media type of a body. */
  readonly isUntyped?: boolean;
}

/** What sends requests as they arrive in life. */
export function exchangeOver({ transport, contentLength }: TestArrival): typeof exchange {
  const send = transport === "TLS with HTTP/2" ? exchangeHttp2 : exchange;
  return (url, asked = {}) => send(url, { contentLength, ...asked });
}

/** An answer, whole. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none, or several lines. */
  readonly json: unknown;
}

/** Sends one request over a connection of its own; unlike `fetch` it adds nothing but a media type and shows trailers. */
export async function exchange(url: string, asked: Asked = {}): Promise<Answered> {
  const { method = "GET", headers = {}, body, signal, contentLength = "given", isUntyped } = asked;
  const content = contentOf(body);
  const isChunked = content !== undefined && contentLength === "left out";
  const length = isChunked ? { "transfer-encoding": "chunked" } : lengthOf(content, contentLength);
  const options = {
    method,
    headers: { ...length, ...(isUntyped ? {} : typeOf(content)), ...headers },
    agent: false as const,
    signal,
  };
  const sent = url.startsWith("https:")
    ? requestTls(url, { ...options, ca: loopbackCertificate().cert })
    : request(url, options);
  sent.end(content);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return answered(response.statusCode, { headers: response.headers, trailers: { ...response.trailers }, chunks });
}

/** As {@link exchange}, by HTTP/2. A body is sent without `Content-Length`, as proxies do, unless it is to be given. */
export async function exchangeHttp2(url: string, asked: Asked = {}): Promise<Answered> {
  const { method = "GET", headers = {}, body, signal, contentLength = "left out", isUntyped } = asked;
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, { ca: loopbackCertificate().cert });
  try {
    const content = contentOf(body);
    const described = { ...lengthOf(content, contentLength), ...(isUntyped ? {} : typeOf(content)), ...headers };
    const sentHeaders = { ":method": method, ":path": `${pathname}${search}`, ...described };
    const stream = session.request(sentHeaders, { endStream: content === undefined, signal });
    if (content !== undefined) stream.end(content);
    let trailers: Answered["trailers"] = {};
    stream.on("trailers", (found) => {
      trailers = { ...found } as Answered["trailers"];
    });
    const [received] = await once(stream, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return answered(Number(received[constants.HTTP2_HEADER_STATUS]), { headers: { ...received }, trailers, chunks });
  } finally {
    session.destroy();
  }
}

/** Sends bytes that need not be a request, and reads what comes back as a response until the connection ends. */
export async function exchangeBytes(url: string, bytes: string): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const socket = connectSocket(Number(port), hostname);
  socket.write(bytes, "latin1");
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  const headLength = whole.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = whole.toString("latin1", 0, headLength).split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => [line.split(": ")[0], line.split(": ")[1]]));
  return answered(Number(statusLine.split(" ")[1]), {
    headers,
    trailers: {},
    chunks: [whole.subarray(headLength + 4)],
  });
}

function lengthOf(
  content: string | undefined,
  contentLength: TestArrival["contentLength"],
): Readonly<Record<string, number>> {
  if (content === undefined || contentLength === "left out") return {};
  return { "content-length": Buffer.byteLength(content) };
}

function typeOf(content: string | undefined): Readonly<Record<string, string>> {
  return content === undefined ? {} : { "content-type": "application/json" };
}

function contentOf(body: unknown): string | undefined {
  return body === undefined || typeof body === "string" ? body : JSON.stringify(body);
}

function answered(
  status: number,
  {
    headers,
    trailers,
    chunks,
  }: {
    readonly headers: Answered["headers"];
    readonly trailers: Answered["trailers"];
    readonly chunks: readonly Buffer[];
  },
): Answered {
  const text = Buffer.concat(chunks).toString();
  const isJson = /json$/.test(String(headers["content-type"])) && !text.includes("\n") && text !== "";
  return { status, headers, trailers, text, json: isJson ? JSON.parse(text) : undefined };
}
