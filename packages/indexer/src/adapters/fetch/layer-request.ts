import { ScanError } from "@plimsoll/core";
import type { ManifestLayer } from "@plimsoll/core/image";
import { discardBody, type Outbound, type OutboundResponse, RefusedRedirect } from "@plimsoll/outbound";

/** A response to a layer request with a status other than 200. */
export class RefusedLayer extends Error {
  override readonly name = "RefusedLayer";
  readonly status: number;
  readonly headers: OutboundResponse["headers"];

  constructor({ status, headers }: OutboundResponse) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Requests a layer once, following redirects. The headers are sent only to the origin of the layer's address.
 * @throws RefusedLayer for every status but 200; ScanError for a refused redirect, and `not_permitted`; network errors unchanged
 */
export async function openLayerBody(
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
