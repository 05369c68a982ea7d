import { Readable } from "node:stream";
import { context, propagation } from "@opentelemetry/api";
import { ScanError } from "@plimsoll/core";
import type { RequestInit as UndiciInit, Response as UndiciResponse } from "undici";
import { type DispatcherOptions, type Dispatchers, openDispatchers } from "./dispatcher.ts";
import { discardBody } from "./limit-body.ts";
import type { FetchResponse, OutboundResponse } from "./outbound-response.ts";
import { FailedElsewhere, followRedirect, maxRedirects, RefusedRedirect, redirectOf } from "./redirects.ts";
import { type BodyPace, ResponseBody } from "./response-body.ts";

/** One request. Redirects are followed for GET, at most {@link maxRedirects} times. */
export interface OutboundRequest {
  readonly url: URL;
  /** GET by default. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: RequestHeaders;
  /** Headers for the origin of `url` only, such as credentials. After a redirect to another origin they are not sent again. */
  readonly originHeaders?: RequestHeaders;
  /** Pass a large body as a function, so that a repeated request can start it again, and its `content-length` as a header. */
  readonly body?: string | Uint8Array | (() => AsyncIterable<Uint8Array>);
  readonly signal?: AbortSignal;
  /** How fast the body has to arrive; by default at least 1,024 bytes in each `idleMs` of the client. */
  readonly pace?: BodyPace;
}

/** Options of {@link openOutbound}. Hosts are passed with their port. */
export interface OutboundOptions extends DispatcherOptions {
  /** Whether a redirect from https to plain http is allowed for a host; by default never. */
  readonly mayUsePlainHttp?: (host: string) => boolean;
}

/** Names and values; a header with several values is sent several times. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The platform's `fetch`, without its `Request`, and with the limits of a {@link FetchResponse}. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<FetchResponse>;

/** A client for requests to other hosts, with one policy. Disposing closes its connections. */
export interface Outbound extends AsyncDisposable {
  /**
   * Sends a request once, without retries.
   * @throws RefusedRedirect; ScanError `not_permitted` for an address that the policy does not permit; errors of the network, wrapped in
   * FailedElsewhere after a redirect to another host
   */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** The platform's `fetch` with the connections and the policy of this client, also for redirects. */
  readonly fetch: Fetch;
}

/**
 * Opens a client with a policy. It loads its modules and connects at the first request.
 *
 * @example
 * await using outbound = openOutbound({ policy: { guard: addressGuard() }, connectMs: 10_000, idleMs: 30_000 });
 * const { status, body } = await outbound.send({ url: new URL("https://example.com/") });
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const { mayUsePlainHttp = () => false, ...connecting } = options;
  const unreadMs = options.idleMs;
  const pace = { idleMs: unreadMs };
  const isTraced = options.policy === "trusted"; // hosts that clients choose get no trace ids
  let opened: Promise<Dispatchers> | undefined;
  const open = () => (opened ??= openDispatchers(connecting));
  return {
    send: async (request) => {
      const traced = isTraced
        ? { ...request, originHeaders: { ...traceHeaders(), ...request.originHeaders } }
        : request;
      return sendFollowing(
        { ...traced, pace: traced.pace ?? pace },
        { dispatchers: await open(), mayUsePlainHttp, unreadMs },
      );
    },
    fetch: async (input, init) => {
      const { fetch } = await import("./undici-parts.ts");
      const traced = isTraced ? withHeaders(init, traceHeaders()) : init;
      const asked = { ...traced, dispatcher: (await open()).byOrigin } as UndiciInit;
      const response = await fetch(new URL(input), asked);
      return bounded(response, { pace, signal: init?.signal });
    },
    [Symbol.asyncDispose]: async () => (await opened)?.close(),
  };
}

function bounded(
  response: UndiciResponse,
  { pace, signal }: { readonly pace: BodyPace; readonly signal: AbortSignal | null | undefined },
): FetchResponse {
  const { url, status, ok, headers, body } = response as unknown as Response; // the interface exists twice: in Node, and in undici
  if (body === null) return { url, status, ok, headers, body };
  const source = { ...pace, host: URL.parse(url)?.host ?? url };
  return { url, status, ok, headers, body: new ResponseBody(Readable.fromWeb(body), source, signal ?? undefined) };
}

function withHeaders(init: RequestInit | undefined, added: Readonly<Record<string, string>>): RequestInit | undefined {
  const entries = Object.entries(added);
  return entries.length === 0 ? init : { ...init, headers: [...new Headers(init?.headers), ...entries] };
}

/** The parts for sending besides the request. */
interface Sending {
  readonly dispatchers: Dispatchers;
  readonly unreadMs: number;
  readonly mayUsePlainHttp: (host: string) => boolean;
}

async function sendFollowing(
  request: OutboundRequest & { readonly pace: BodyPace },
  sending: Sending,
): Promise<OutboundResponse> {
  const { request: send } = await import("./undici-parts.ts");
  const { method = "GET", headers = {}, originHeaders = {}, body, signal, pace } = request;
  const { unreadMs } = sending;
  let { url } = request;
  let isElsewhere = false;
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, {
      dispatcher: sending.dispatchers.forHost(url.host),
      method,
      headers: listed({ ...headers, ...(!isElsewhere && originHeaders) }),
      body:
        body === undefined
          ? undefined
          : typeof body === "function"
            ? Readable.from(body(), { objectMode: false })
            : body,
      signal,
    }).catch((error: unknown) => {
      const isOfNetwork = !(error instanceof ScanError) && signal?.aborted !== true;
      throw isOfNetwork && url.host !== request.url.host ? new FailedElsewhere(url.host, error) : error;
    });
    const received = new ResponseBody(response.body, { ...pace, host: url.host, unreadMs }, signal);
    const location = redirectOf(response.statusCode, response.headers.location);
    if (location === undefined || method !== "GET") {
      return { url, status: response.statusCode, headers: response.headers, body: received };
    }
    await discardBody({ body: received });
    if (redirects === maxRedirects) throw new RefusedRedirect(url, `more than ${maxRedirects} redirects`);
    const next = followRedirect(location, url, sending.mayUsePlainHttp);
    isElsewhere ||= next.origin !== url.origin;
    url = next;
  }
}

function listed(headers: RequestHeaders): Record<string, string | string[]> {
  const present = Object.entries(headers).filter(([, value]) => value.length > 0 || value === "");
  return Object.fromEntries(
    present.map(([name, value]) => [name, typeof value === "string" ? value : [...value]] as const),
  );
}

/**
 * The headers that make a request part of the active trace; none without an active span.
 * @see https://www.w3.org/TR/trace-context/
 */
function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
