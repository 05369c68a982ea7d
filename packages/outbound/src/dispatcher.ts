import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { type GuardedPolicy, guardedConnector, guardedLookup, refusedHost } from "./guarded-connector.ts";
import type { ProxySettings } from "./proxy-settings.ts";
import { findErrorCode } from "./retry.ts";

/**
 * The addresses that may be connected to: all, for hosts that the operator configured (`trusted`); those that a guard permits, for hosts
 * that clients can choose.
 */
export type OutboundPolicy = "trusted" | GuardedPolicy;

/** TLS settings for one host. */
export interface HostTls {
  /** Trusted certificate authorities instead of the platform's list: PEM. */
  readonly ca?: string | readonly string[];
  /** The client certificate with its chain, and its key: PEM. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** Whether the certificate of the host is verified; true by default. */
  readonly isVerified?: boolean;
}

/** Options of connections. */
export interface DispatcherOptions {
  readonly policy: OutboundPolicy;
  readonly proxy?: ProxySettings | undefined;
  /** The addresses that a proxy may have: all where absent. Use a guarded policy for proxies that clients may name. */
  readonly proxyPolicy?: OutboundPolicy | undefined;
  /**
   * The TLS settings of a host, which is passed with its port. Hosts with the same object share connections, so create each object only
   * once. By default, the platform's authorities and no client certificate.
   */
  readonly tls?: (host: string) => HostTls;
  /** A Unix socket for all connections, whatever host a URL names: for `trusted` requests without a proxy. */
  readonly socketPath?: string;
  /** The time limit for connecting. */
  readonly connectMs: number;
  /** The time limit for a pause in a response, and before its beginning. */
  readonly idleMs: number;
}

const usualTls: HostTls = {};

/** The connections of one client. Each request, and each redirect that `fetch` follows, uses the settings of its own host. */
export interface Dispatchers {
  forHost(host: string): Dispatcher;
  /** For `fetch`, which uses one dispatcher for all redirects. */
  readonly byOrigin: Dispatcher;
  close(): Promise<void>;
}

/** Opens the connections of one client. */
export async function openDispatchers(options: DispatcherOptions): Promise<Dispatchers> {
  const undici = await import("./undici-parts.ts"); // loaded at the first request
  const { tls = () => usualTls } = options;
  const opened = new Map<HostTls, Dispatcher>();
  const forHost = (host: string): Dispatcher => {
    const found = tls(host);
    const dispatcher = opened.get(found) ?? openDispatcher(options, found, undici);
    opened.set(found, dispatcher);
    return dispatcher;
  };
  class ByOrigin extends undici.Dispatcher {
    override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      return forHost(new URL(request.origin ?? "").host).dispatch(request, handler);
    }
  }
  return {
    forHost,
    byOrigin: new ByOrigin(),
    close: async () => {
      for (const dispatcher of opened.values()) await dispatcher.destroy();
    },
  };
}

/**
 * A proxy resolves names and connects, so only an IP address in the URL itself can be checked here. The proxy has to guard the names of
 * internal hosts.
 */
function openDispatcher(
  { policy, proxy, proxyPolicy = "trusted", socketPath, connectMs: timeout, idleMs }: DispatcherOptions,
  { ca, clientCertificate, isVerified = true }: HostTls,
  { Agent, buildConnector, EnvHttpProxyAgent }: typeof import("./undici-parts.ts"),
): Dispatcher {
  const idle = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const tls = {
    timeout,
    socketPath,
    ca: ca === undefined ? undefined : typeof ca === "string" ? ca : [...ca],
    cert: clientCertificate?.certificate,
    key: clientCertificate?.key,
    rejectUnauthorized: !isVerified ? false : undefined,
  };
  const connect = policy === "trusted" ? tls : guardedConnector(policy, tls, buildConnector);
  if (proxy === undefined) return new Agent({ connect, ...idle }).compose(inExchanges);
  const refusedProxy = refusedBy(proxyPolicy, [proxy.httpProxy, proxy.httpsProxy]);
  const agent = new EnvHttpProxyAgent({
    connect,
    ...idle,
    proxyTls: { timeout, lookup: proxyPolicy !== "trusted" ? guardedLookup(proxyPolicy) : undefined },
    requestTls: tls,
    // An empty text keeps undici from reading the environment.
    httpProxy: proxy.httpProxy ?? "",
    httpsProxy: proxy.httpsProxy ?? "",
    noProxy: ["localhost", "127.0.0.1", "::1", proxy.noProxy ?? ""].join(","),
  });
  return agent.compose(inExchanges, (dispatch) => (request, handler) => {
    const refused = refusedBy(policy, [String(request.origin ?? "")]) ?? refusedProxy;
    if (refused !== undefined) throw refused;
    return dispatch({ ...request, ...idle }, handler); // undici does not apply the agent's limits to a proxy for plain HTTP
  });
}

/** The error for the first URL whose host is an address and not permitted. */
function refusedBy(policy: OutboundPolicy, urls: readonly (string | undefined)[]): Error | undefined {
  if (policy === "trusted") return undefined;
  const hosts = urls.flatMap((url) => URL.parse(url ?? "")?.hostname ?? []);
  return hosts.map((host) => refusedHost(policy, host)).find((refused) => refused !== undefined);
}

type Controller = Dispatcher.DispatchController;
type Handler = Dispatcher.DispatchHandler;

/** Methods whose request has the same effect when a server gets it twice. @see https://www.rfc-editor.org/rfc/rfc9110.html#section-9.2.2 */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** The codes of connections that the other side closed. */
const closed: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** How often a request is repeated. Several idle connections may be closed at the same time. */
const maxRepeats = 2;

/** The most interim responses (1xx) of a request. Each of them starts the time limit of the response again. */
const maxInterim = 16;

/**
 * Adds two rules to each request of a client. A server may close an idle connection at the moment when a request is sent on it: an
 * idempotent request whose connection is closed before any response is sent again on another one. And a server may not send interim responses without end.
 * @see https://www.rfc-editor.org/rfc/rfc9112.html#section-9.3.1
 */
function inExchanges(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (request, handler) => {
    const repeat = (exchange: Handler) => void dispatch(request, exchange);
    return dispatch(request, new Exchange(handler, isRepeatable(request) ? repeat : undefined));
  };
}

function isRepeatable({ method, body }: Dispatcher.DispatchOptions): boolean {
  return idempotent.has(method) && (body == null || typeof body === "string" || body instanceof Uint8Array);
}

class Exchange implements Handler {
  readonly #handler: Handler;
  #repeat: ((exchange: Handler) => void) | undefined;
  #repeats = 0;
  #interim = 0;

  constructor(handler: Handler, repeat: ((exchange: Handler) => void) | undefined) {
    this.#handler = handler;
    this.#repeat = repeat;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...upgraded: Parameters<NonNullable<Handler["onRequestUpgrade"]>>): void {
    this.#handler.onRequestUpgrade?.(...upgraded);
  }

  onResponseStart(...started: Parameters<NonNullable<Handler["onResponseStart"]>>): void {
    const [controller, status] = started;
    this.#repeat = undefined;
    if (status < 200 && ++this.#interim > maxInterim) {
      controller.abort(new Error(`expected a response, found more than ${maxInterim} interim responses (1xx)`));
    } else this.#handler.onResponseStart?.(...started);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    const repeat = this.#repeat;
    if (repeat !== undefined && this.#repeats < maxRepeats && closed.has(findErrorCode(error) ?? "")) {
      this.#repeats += 1;
      queueMicrotask(() => repeat(this)); // the connection is removed first
    } else this.#handler.onResponseError?.(controller, error);
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onBodySent(chunk: Buffer): void {
    this.#handler.onBodySent?.(chunk);
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.();
  }
}
