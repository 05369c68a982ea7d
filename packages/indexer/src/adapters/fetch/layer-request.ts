import { type ManifestLayer, ScanError } from "@plimsoll/core";
import { discardBody, type Outbound, type OutboundResponse, RefusedRedirect } from "@plimsoll/outbound";

/** An answer that is no layer. */
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
 * The body of a layer: one attempt, with redirects. Headers stay with the origin they were given for.
 * @throws RefusedLayer for every status but 200; ScanError for a redirect that may not be followed, and `not_permitted`;
 * whatever the network throws
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
    "the layer's uri: expected a web address without user information, found another",
  );
}
