import type { IncomingHttpHeaders } from "node:http";
import { type ManifestLayer, ScanError } from "@plimsoll/core";
import type { Dispatcher } from "undici";
import { discardBody } from "../registry/discard-body.ts";

/** An answer that is no layer. */
export class RefusedLayer extends Error {
  override readonly name = "RefusedLayer";
  readonly status: number;
  readonly retryAfter: string | undefined;

  constructor(status: number, { "retry-after": retryAfter }: IncomingHttpHeaders) {
    super(`status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** The next request: where to, and with which headers. */
interface Hop {
  readonly url: URL;
  readonly headers: ManifestLayer["headers"];
}

/**
 * The body of a layer: one attempt, with redirects.
 * @throws RefusedLayer for every status but 200; ScanError for a redirect that may not be followed, and `not_permitted`;
 * whatever the network throws
 */
export async function openLayerBody(
  layer: ManifestLayer,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData["body"]> {
  const { request } = await import("./http-parts.ts");
  let hop: Hop = { url: parseAddress(layer.uri, undefined, "the layer's uri"), headers: layer.headers };
  for (let redirects = 0; ; redirects++) {
    const response = await request(hop.url, { dispatcher, headers: headersOf(hop), signal });
    const { statusCode, headers, body } = response;
    if (statusCode === 200) return body;
    await discardBody(response);
    const { location } = headers;
    if (!redirectStatuses.has(statusCode) || typeof location !== "string") throw new RefusedLayer(statusCode, headers);
    if (redirects === maxRedirects) throw broken(`more than ${maxRedirects} redirects`);
    hop = redirectTo(location, hop);
  }
}

function headersOf({ headers }: Hop): Record<string, string[]> {
  const present = Object.entries(headers).filter(([, values]) => values.length > 0);
  return Object.fromEntries(present.map(([name, values]) => [name, [...values]]));
}

/** Headers stay with the origin they were given for, and TLS is not given up. */
function redirectTo(location: string, from: Hop): Hop {
  const url = parseAddress(location, from.url, "a redirect");
  if (url.protocol === "http:" && from.url.protocol === "https:") {
    throw broken("a redirect that gives up TLS");
  }
  return { url, headers: url.origin === from.url.origin ? from.headers : {} };
}

function parseAddress(text: string, from: URL | undefined, what: string): URL {
  const url = URL.parse(text, from?.href);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isAddress) return url;
  throw new ScanError("source_unreachable", `${what}: expected a web address without user information, found another`);
}

function broken(found: string): ScanError {
  return new ScanError("source_unreachable", `expected a layer, found ${found}`);
}
