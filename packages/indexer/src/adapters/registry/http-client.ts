import type { IncomingHttpHeaders } from "node:http";
import { ScanError } from "@plimsoll/core";
import { Agent, type Dispatcher, EnvHttpProxyAgent, request as sendRequest } from "undici";
import { discardBody } from "./discard-body.ts";
import { isInsecure, mayUsePlainHttp, type PlainHttpRule } from "./plain-http.ts";

/** One request. Only GET requests are redirected. */
export interface HttpRequest {
  readonly url: URL;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** An answer whose body must be read or discarded. */
export interface HttpResponse {
  /** Where it came from, after redirects. */
  readonly origin: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData["body"];
}

/** Sends requests, following redirects. Disposing closes its connections. */
export interface HttpClient extends AsyncDisposable {
  /**
   * One attempt.
   * @throws ScanError `source_unreachable` for a redirect that may not be followed; whatever the network throws
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** Proxies in the form of the environment variables of the same names. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  /** Hosts without a proxy, besides loopback. */
  readonly noProxy?: string;
}

/** How connections are made. */
export interface HttpClientOptions extends PlainHttpRule {
  /** Certificates to trust besides none: PEM, in place of the platform's list. */
  readonly ca?: string;
  readonly proxy?: ProxySettings;
  readonly connectTimeoutMs: number;
  /** Between two pieces of an answer. */
  readonly idleTimeoutMs: number;
  readonly userAgent: string;
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Opens a client over undici. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const verifying = openDispatcher(options, true);
  const trusting = options.insecure.length > 0 ? openDispatcher(options, false) : verifying;
  const sendOnce = (request: HttpRequest) => {
    const { url, method = "GET", headers, body, signal } = request;
    return sendRequest(url, {
      dispatcher: isInsecure(url.host, options) ? trusting : verifying,
      method,
      headers: { "user-agent": options.userAgent, ...headers },
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    });
  };
  return {
    send: async (request) => {
      let hop = request;
      for (let redirects = 0; ; redirects++) {
        const response = await sendOnce(hop);
        const location = response.headers.location;
        const isRedirect = redirectStatuses.has(response.statusCode) && typeof location === "string";
        if (!isRedirect || hop.method === "POST") {
          const { statusCode: status, headers, body } = response;
          return { origin: hop.url.origin, status, headers, body };
        }
        await discardBody(response);
        if (redirects === maxRedirects) throw unreachable(hop.url, `more than ${maxRedirects} redirects`);
        hop = { ...hop, ...redirectTo(location, hop, options) };
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...new Set([verifying, trusting])].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** The next hop: credentials stay with the origin they were for, and TLS is not given up. */
function redirectTo(location: string, from: HttpRequest, rule: PlainHttpRule): Pick<HttpRequest, "url" | "headers"> {
  const url = URL.parse(location, from.url.href);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw unreachable(from.url, "a redirect to something that is no web address");
  }
  if (url.protocol === "http:" && from.url.protocol === "https:" && !mayUsePlainHttp(url.host, rule)) {
    throw unreachable(from.url, `a redirect to ${url.host} without TLS; list the host as insecure to allow it`);
  }
  const { authorization, ...others } = from.headers ?? {};
  const keeps = url.origin === from.url.origin && authorization !== undefined;
  return { url, headers: keeps ? { ...others, authorization } : others };
}

function openDispatcher(options: HttpClientOptions, rejectUnauthorized: boolean): Dispatcher {
  const { ca, proxy, connectTimeoutMs, idleTimeoutMs } = options;
  const tls = { rejectUnauthorized, ...(ca !== undefined && { ca }) };
  const common = {
    connect: { timeout: connectTimeoutMs, ...tls },
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  };
  if (proxy === undefined) return new Agent(common);
  return new EnvHttpProxyAgent({
    ...common,
    requestTls: tls,
    // Empty text keeps undici from looking into the environment itself.
    httpProxy: proxy.httpProxy ?? "",
    httpsProxy: proxy.httpsProxy ?? "",
    noProxy: ["localhost", "127.0.0.1", "::1", proxy.noProxy ?? ""].join(","),
  });
}

function unreachable(from: URL, found: string): ScanError {
  return new ScanError("source_unreachable", `${from.host}: expected an answer, found ${found}`);
}
