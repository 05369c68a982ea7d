import type { Digest } from "./digest.ts";
import {
  digestAt,
  documentPlace,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  placeError,
  stringAt,
  unexpected,
} from "./json-place.ts";
import type { Json } from "./json-value.ts";

/** An image that a client submits to the indexer: its layers, and the address of each. */
export interface Manifest {
  /** Identifies the image; `hash` on the wire. */
  readonly digest: Digest;
  /** Base first. */
  readonly layers: readonly ManifestLayer[];
}

/** One layer of a {@link Manifest}. */
export interface ManifestLayer {
  readonly digest: Digest;
  /** Address of the blob: http or https, without user information. */
  readonly uri: string;
  /** Headers of the request for the blob. May contain secrets. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly mediaType?: string;
}

/** Caps on layers of a manifest, headers of a layer, values of a header and characters of a text; no real manifest exceeds them. */
const caps = { layers: 4096, headers: 100, values: 20, textLength: 16_384 };

/**
 * Parses a manifest from JSON. Unknown members are ignored.
 * @throws ScanError `malformed_manifest`, `malformed_digest`, `unsupported_digest`
 * @example
 * const digest = `sha256:${"0".repeat(64)}`;
 * const manifest = parseManifest({ hash: digest, layers: [{ hash: digest, uri: "https://blobs.example.com/layer" }] });
 */
export function parseManifest(json: Json): Manifest {
  const place = documentPlace(json, "manifest", "malformed_manifest");
  const layers = memberAt(place, "layers");
  return {
    digest: digestAt(memberAt(place, "hash")),
    layers: atMost(caps.layers, optionalItemsAt(layers), layers).map(parseLayer),
  };
}

/**
 * The JSON form of a manifest; {@link parseManifest} is the inverse.
 * @example
 * declare const manifest: Manifest;
 * const body = JSON.stringify(toManifestJson(manifest));
 */
export function toManifestJson({ digest, layers }: Manifest): Json {
  return {
    hash: digest,
    layers: layers.map(({ digest: hash, uri, headers, mediaType }) => ({
      hash,
      uri,
      headers,
      media_type: mediaType,
    })),
  };
}

function parseLayer(place: JsonPlace): ManifestLayer {
  const mediaType = optionalStringAt(memberAt(place, "media_type"));
  return {
    digest: digestAt(memberAt(place, "hash")),
    uri: parseUri(memberAt(place, "uri")),
    headers: parseHeaders(memberAt(place, "headers")),
    mediaType,
  };
}

/** Messages do not show the address, since it may contain a signature. */
function parseUri(place: JsonPlace): string {
  const uri = stringAt(place);
  if (uri.length > caps.textLength || !/^https?:\/\/[^\s/?#\\]+/i.test(uri)) {
    throw placeError(place, "expected an absolute http or https address");
  }
  if (/^https?:\/\/[^/?#\\]*@/i.test(uri)) {
    throw placeError(place, "expected an address without user information: use the header authorization");
  }
  return uri;
}

function parseHeaders(place: JsonPlace): ManifestLayer["headers"] {
  const headers = atMost(caps.headers, membersAt(place), place);
  return Object.fromEntries(headers.map(([name, values]) => [parseHeaderName(name, place), parseValues(values)]));
}

/**
 * Headers of a connection or of message framing, which only the HTTP client may set.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-7.6.1
 */
const framingHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function parseHeaderName(name: string, place: JsonPlace): string {
  if (!/^[a-zA-Z0-9_-]{1,256}$/.test(name))
    throw placeError(place, "expected header names of letters, digits, - and _");
  if (framingHeaders.has(name.toLowerCase())) throw placeError(place, `the header ${name} may not be set`);
  return name;
}

/** Messages do not show values, since they may be secrets. */
function parseValues(place: JsonPlace): readonly string[] {
  if (!Array.isArray(place.value)) throw placeError(place, "expected an array of strings");
  return atMost(caps.values, itemsAt(place), place).map((at) => {
    const { value } = at;
    const isValid =
      typeof value === "string" && value.length <= caps.textLength && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (!isValid) throw placeError(at, "expected a string without control characters");
    return value;
  });
}

function atMost<Item>(most: number, items: readonly Item[], place: JsonPlace): readonly Item[] {
  if (items.length > most) throw unexpected({ ...place, value: items.length }, `at most ${most} of them`);
  return items;
}
