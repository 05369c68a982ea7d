import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer to a request. */
export interface FeedAnswer {
  /** By default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sent as `ETag`; a request whose `If-None-Match` is the same is answered with 304. */
  readonly etag?: string;
  /** Sent as `Last-Modified`; a request whose `If-Modified-Since` is the same is answered with 304. */
  readonly lastModified?: string;
  /** Whether it answers range requests. */
  readonly hasRanges?: boolean;
  /** Closes the connection after so many bytes of the body, although `Content-Length` is that of the whole body. */
  readonly cutAfterBytes?: number;
  /** Resolves when the connection may be closed. */
  readonly cutWhen?: Promise<unknown>;
  /** Repeats the body until the client disconnects. */
  readonly endless?: boolean;
  /** Never answers. */
  readonly silent?: boolean;
  /** Answers only when this has resolved; a function is called once per request. */
  readonly after?: Promise<unknown> | (() => Promise<unknown>);
}

/** A received request. */
export interface FeedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** An HTTP server on the loopback interface with prepared answers. */
export interface FeedServer extends AsyncDisposable {
  /** Ends in `/`. */
  readonly url: string;
  readonly requests: readonly FeedRequest[];
  /** Sets the answers for a path, which begins with `/`. They are given in order; the last one repeats. */
  answer(path: string, ...answers: readonly FeedAnswer[]): void;
}

/**
 * Starts a feed server. Paths without an answer are answered with 404.
 * @param onRequest is called before each answer
 */
export async function startFeedServer(onRequest: (path: string) => void = () => {}): Promise<FeedServer> {
  const requests: FeedRequest[] = [];
  const answers = new Map<string, FeedAnswer[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers });
    onRequest(path);
    const queue = answers.get(path) ?? [{ status: 404 }];
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? { status: 404 };
    const { after } = answer;
    if (after === undefined) send(request, response, answer);
    else void (typeof after === "function" ? after() : after).then(() => send(request, response, answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    answer: (path, ...list) => answers.set(path, [...list]),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: FeedAnswer): void {
  const { status = 200, headers = {}, etag, lastModified, body = "", silent, endless, cutAfterBytes } = answer;
  if (silent) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (etag !== undefined) response.setHeader("etag", etag);
  if (lastModified !== undefined) response.setHeader("last-modified", lastModified);
  const known = etag !== undefined && request.headers["if-none-match"] === etag;
  const asOld = lastModified !== undefined && request.headers["if-modified-since"] === lastModified;
  if (known || asOld) {
    response.writeHead(304).end();
    return;
  }
  if (endless) {
    sendForever(response, body);
    return;
  }
  const whole = Buffer.from(body);
  const from = answer.hasRanges ? rangeOf(request, whole.length, etag) : undefined;
  const bytes = whole.subarray(from);
  const range = from === undefined ? {} : { "content-range": `bytes ${from}-${whole.length - 1}/${whole.length}` };
  response.writeHead(from === undefined ? status : 206, { "content-length": bytes.length, ...range });
  if (cutAfterBytes === undefined) response.end(bytes);
  else
    response.write(bytes.subarray(0, cutAfterBytes), async () => {
      await answer.cutWhen;
      response.destroy();
    });
}

/** The start of the requested range; undefined where the whole document is to be sent, for example because it has changed. */
function rangeOf({ headers }: IncomingMessage, length: number, etag: string | undefined): number | undefined {
  const from = /^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1];
  return from === undefined || headers["if-range"] !== etag || Number(from) >= length ? undefined : Number(from);
}

function sendForever(response: ServerResponse, body: string | Uint8Array): void {
  response.writeHead(200);
  const write = () => {
    while (!response.destroyed && response.write(body));
  };
  response.on("drain", write);
  response.on("error", () => {});
  write();
}
