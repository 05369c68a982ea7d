import { type Bytes, ScanError } from "@plimsoll/core";
import { type ManifestLayer, withoutUndefined } from "@plimsoll/core/internal";
import {
  Attempts,
  adviceOf,
  discardBody,
  findErrorCode,
  type GuardedPolicy,
  type HostTls,
  type Outbound,
  type OutboundResponse,
  openOutbound,
  type ProxySettings,
  RefusedRedirect,
  ResponseFailure,
  type RetryPolicy,
  retryClock,
  startDeadline,
} from "@plimsoll/outbound";
import type { FetchLayer } from "../../ports.ts";

/** A response to a layer request with a status other than 200. */
class RefusedLayer extends Error {
  override readonly name = "RefusedLayer";
  readonly status: number;
  readonly headers: OutboundResponse["headers"];

  constructor({ status, headers }: OutboundResponse) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

/** Options of {@link openLayerFetcher}. */
export interface LayerFetcherOptions extends GuardedPolicy {
  /** CA certificates to trust instead of the platform's, in PEM. */
  readonly ca?: string;
  readonly timeouts?: Partial<LayerTimeouts>;
  readonly retry?: Partial<RetryPolicy>;
  readonly proxy?: ProxySettings;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** Time limits for fetching, in milliseconds. */
export interface LayerTimeouts {
  /** For opening a connection. */
  readonly connectMs: number;
  /** Between two chunks of a response. */
  readonly idleMs: number;
  /** For one layer, including all attempts. */
  readonly totalMs: number;
}

/** Fetches layers. Disposing closes its connections. */
export interface LayerFetcher extends AsyncDisposable {
  readonly fetchLayer: FetchLayer;
}

const defaultTimeouts: LayerTimeouts = { connectMs: 10_000, idleMs: 30_000, totalMs: 3_600_000 };
const defaultRetry: RetryPolicy = {
  attempts: 4,
  firstDelayMs: 250,
  maxDelayMs: 10_000,
  maxRetryAfterMs: 60_000,
  ...retryClock,
};

interface LayerRequests {
  readonly outbound: Outbound;
  readonly retry: RetryPolicy;
  readonly totalMs: number;
  readonly now: () => number;
}

/**
 * Opens a fetcher. It connects when the first layer is fetched.
 * @example
 * await using fetcher = openLayerFetcher({ guard: addressGuard(["10.0.0.0/8"]) });
 */
export function openLayerFetcher(options: LayerFetcherOptions): LayerFetcher {
  const { connectMs, idleMs, totalMs } = { ...defaultTimeouts, ...withoutUndefined(options.timeouts ?? {}) };
  const { retry, now = Date.now, proxy, ca } = options;
  const tls: HostTls = { ca };
  const outbound = openOutbound({ policy: options, proxy, tls: () => tls, connectMs, idleMs });
  const requests: LayerRequests = {
    outbound,
    retry: { ...defaultRetry, ...withoutUndefined(retry ?? {}) },
    totalMs,
    now,
  };
  return {
    fetchLayer: (layer, signal) => fetchLayer(layer, requests, signal),
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

/**
 * Retries temporary failures. Only the manifest's headers are sent, so that a retry cannot request a range: it starts from the
 * beginning, and bytes that were already yielded are skipped.
 */
async function* fetchLayer(layer: ManifestLayer, requests: LayerRequests, signal: AbortSignal | undefined): Bytes {
  const deadline = startDeadline(requests.totalMs, `fetching layer ${layer.digest}`, signal);
  const attempts = new Attempts(requests.retry, deadline.signal);
  let offset = 0;
  for (;;) {
    try {
      const body = await openLayerBody(layer, requests.outbound, deadline.signal);
      for await (const chunk of bytesFrom(body, offset)) {
        offset += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      const advice = error instanceof RefusedLayer ? adviceOf(error, requests.now()) : undefined;
      await attempts.pauseAfter(error, advice).catch((cause: unknown) => {
        deadline.throwIfEnded(cause);
        throw toScanError(cause, layer);
      });
    }
  }
}

/**
 * Requests a layer once, following redirects. The headers are sent only to the origin of the layer's address.
 * @throws RefusedLayer for every status but 200; ScanError for a refused redirect, and `not_permitted`; network errors unchanged
 */
async function openLayerBody(
  { uri, headers: originHeaders }: ManifestLayer,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<OutboundResponse["body"]> {
  const response = await outbound.send({ url: parseAddress(uri), originHeaders, signal }).catch((error: unknown) => {
    if (!(error instanceof RefusedRedirect)) throw error;
    throw new ScanError("source_unreachable", `expected a layer, found ${error.message}`, { cause: error });
  });
  if (response.status === 200) return response.body;
  await discardBody(response);
  throw new RefusedLayer(response);
}

function parseAddress(text: string): URL {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isAddress) return url;
  throw new ScanError(
    "source_unreachable",
    "the layer's uri: expected an http or https address without user information, found something else",
  );
}

async function* bytesFrom(body: Bytes, offset: number): Bytes {
  let toSkip = offset;
  for await (const chunk of body) {
    const skipped = Math.min(toSkip, chunk.length);
    toSkip -= skipped;
    if (skipped < chunk.length) yield chunk.subarray(skipped);
  }
}

/** The message names the host and the status, never the URL, because it may be a signed one. */
function toScanError(error: unknown, { digest, uri }: ManifestLayer): ScanError {
  const what = `layer ${digest} from ${URL.parse(uri)?.host ?? "its address"}`;
  if (error instanceof ScanError) return new ScanError(error.code, `${what}: ${error.message}`, { cause: error });
  if (!(error instanceof RefusedLayer)) {
    const reason = error instanceof ResponseFailure ? error.found : (findErrorCode(error) ?? "the connection failed");
    return new ScanError("source_unreachable", `cannot fetch ${what}: ${reason}`, { cause: error });
  }
  const { status } = error;
  const code = refusalCodes.get(status) ?? "source_unreachable";
  return new ScanError(code, `cannot fetch ${what}: expected status 200, found ${status}`, { cause: error });
}

const refusalCodes: ReadonlyMap<number, "unauthorized" | "not_found"> = new Map([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [404, "not_found"],
  [410, "not_found"],
]);
