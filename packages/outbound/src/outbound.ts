import { Readable } from "node:stream";
import { ScanError } from "@plimsoll/core";
import type { RequestInit as UndiciInit } from "undici";
import { discardBody } from "./discard-body.ts";
import { type DispatcherOptions, type Dispatchers, openDispatchers } from "./dispatcher.ts";
import type { OutboundResponse } from "./outbound-response.ts";
import { FailedElsewhere, followRedirect, maxRedirects, RefusedRedirect, redirectOf } from "./redirects.ts";
import { traceHeaders } from "./trace-headers.ts";

/** One request. GET requests are redirected, at most {@link maxRedirects} times. */
export interface OutboundRequest {
  readonly url: URL;
  /** GET where absent. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: RequestHeaders;
  /** Sent to the origin of `url` alone, for credentials; once a redirect led elsewhere they are not sent again. */
  readonly originHeaders?: RequestHeaders;
  /** A large one is given as what begins it, so that a repeated request begins it again; its `content-length` is a header. */
  readonly body?: string | Uint8Array | (() => AsyncIterable<Uint8Array>);
  readonly signal?: AbortSignal;
}

/** Options of requests. A host is given with its port. */
export interface OutboundOptions extends DispatcherOptions {
  /** Whether a redirect to a host may give up TLS; none where absent. */
  readonly mayUsePlainHttp?: (host: string) => boolean;
}

/** Names and values; a name with several values is sent so often. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The platform's `fetch`, without its `Request`. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Sends requests to other hosts, by one policy. Disposing closes its connections. */
export interface Outbound extends AsyncDisposable {
  /**
   * One attempt.
   * @throws RefusedRedirect; ScanError `not_permitted` for an address that the policy does not permit; whatever the network
   * throws, after a redirect to another host within FailedElsewhere
   */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** The same connections in the form of the platform's `fetch`; the policy holds for redirects as well. */
  readonly fetch: Fetch;
}

/**
 * Opens a client by a policy. Nothing is loaded or connected before the first request.
 *
 * @example
 * await using outbound = openOutbound({ policy: { guard: addressGuard() }, connectMs: 10_000, idleMs: 30_000 });
 * const { status, body } = await outbound.send({ url: new URL("https://example.com/") });
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const { mayUsePlainHttp = () => false, ...connecting } = options;
  const isTraced = options.policy === "trusted"; // tenants' hosts learn nothing of traces
  let opened: Promise<Dispatchers> | undefined;
  const open = () => (opened ??= openDispatchers(connecting));
  return {
    send: async (request) => {
      const traced = isTraced
        ? { ...request, originHeaders: { ...traceHeaders(), ...request.originHeaders } }
        : request;
      return sendFollowing(traced, { dispatchers: await open(), mayUsePlainHttp });
    },
    fetch: async (input, init) => {
      const { fetch } = await import("./undici-parts.ts");
      const traced = isTraced ? withHeaders(init, traceHeaders()) : init;
      const asked = { ...traced, dispatcher: (await open()).byOrigin } as UndiciInit;
      // The same interface twice: of undici as it is in Node, and of the package.
      return (await fetch(new URL(input), asked)) as unknown as Response;
    },
    [Symbol.asyncDispose]: async () => (await opened)?.close(),
  };
}

function withHeaders(init: RequestInit | undefined, added: Readonly<Record<string, string>>): RequestInit | undefined {
  const entries = Object.entries(added);
  return entries.length === 0 ? init : { ...init, headers: [...new Headers(init?.headers), ...entries] };
}

/** What sending needs besides the request. */
interface Sending {
  readonly dispatchers: Dispatchers;
  readonly mayUsePlainHttp: (host: string) => boolean;
}

async function sendFollowing(request: OutboundRequest, sending: Sending): Promise<OutboundResponse> {
  const { request: send } = await import("./undici-parts.ts");
  const { method = "GET", headers = {}, originHeaders = {}, body, signal } = request;
  let { url } = request;
  let isElsewhere = false;
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, {
      dispatcher: sending.dispatchers.forHost(url.host),
      method,
      headers: listed({ ...headers, ...(!isElsewhere && originHeaders) }),
      ...(body !== undefined && {
        body: typeof body === "function" ? Readable.from(body(), { objectMode: false }) : body,
      }),
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      const isOfNetwork = !(error instanceof ScanError) && signal?.aborted !== true;
      throw isOfNetwork && url.host !== request.url.host ? new FailedElsewhere(url.host, error) : error;
    });
    const location = redirectOf(response.statusCode, response.headers.location);
    if (location === undefined || method !== "GET") {
      return { url, status: response.statusCode, headers: response.headers, body: response.body };
    }
    await discardBody(response);
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
