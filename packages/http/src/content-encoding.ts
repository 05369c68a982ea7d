import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createDeflate, createGzip, createZstdCompress } from "node:zlib";
import { RequestError } from "./errors.ts";

/** The compressors in our order of preference. `deflate` means zlib's format, as in the standard. */
const compressors = { zstd: createZstdCompress, gzip: createGzip, deflate: createDeflate } as const;

/** One of the compressed encodings. @internal */
export type Compressed = keyof typeof compressors;

/** The encoding of a body. */
export type ContentEncoding = Compressed | "identity";

/** The compressed encodings as a header lists them. */
export const compressedEncodings = Object.keys(compressors).join(", ");

/**
 * Compresses the portions of a body. Closing the result closes `portions`, too, which `pipe` would not do.
 * @example
 * for await (const portion of compressBody([new TextEncoder().encode("{}")], "gzip")) console.log(portion.length);
 */
export async function* compressBody(
  portions: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: Compressed,
): AsyncGenerator<Uint8Array> {
  const compressor = compressors[encoding]();
  const compressed = pipeline(Readable.from(portions), compressor);
  compressed.catch(() => {}); // iterating the compressor reports its errors
  try {
    yield* compressor;
  } finally {
    compressor.destroy();
    await compressed.catch(() => {});
  }
}

/** The encodings for a client: the preferred one, and the one for bodies that are too small to compress. */
export interface AcceptedEncodings {
  readonly best: ContentEncoding;
  readonly small: ContentEncoding;
}

/**
 * Negotiates the encodings for a client: the highest weight wins, then our order with `identity` last. Undefined if the client accepts
 * none of them.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 * @example
 * negotiateEncoding("gzip, deflate"); // { best: "gzip", small: "identity" }
 */
export function negotiateEncoding(acceptEncoding: string | undefined): AcceptedEncodings | undefined {
  if (acceptEncoding === undefined) return { best: "identity", small: "identity" };
  const weights = parseWeights(acceptEncoding);
  const any = weights.get("*");
  const identity = weights.get("identity") ?? (any === 0 ? 0 : undefined);
  const best = findBest(weights, any ?? 0);
  if (best === undefined) return identity === 0 ? undefined : { best: "identity", small: "identity" };
  if (identity === 0) return { best: best.name, small: best.name };
  return { best: identity !== undefined && identity > best.weight ? "identity" : best.name, small: "identity" };
}

interface Weighted {
  readonly name: Compressed;
  readonly weight: number;
}

function findBest(weights: ReadonlyMap<string, number>, others: number): Weighted | undefined {
  const [best] = Object.keys(compressors)
    .filter((name): name is Compressed => name in compressors)
    .map((name) => ({ name, weight: weights.get(name) ?? others }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return best;
}

/** The weights by coding in lower case; a malformed weight counts as 0. */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const items = header.split(",").map((item) => /^([^;\s]+)\s*(?:;\s*q\s*=\s*(.*))?$/is.exec(item.trim()));
  return new Map(
    items.flatMap((match) => {
      const coding = match?.[1]?.toLowerCase().replace(/^x-gzip$/, "gzip");
      const weight = Number(match?.[2] ?? 1);
      return coding === undefined ? [] : [[coding, Number.isFinite(weight) ? weight : 0] as const];
    }),
  );
}

/**
 * Rejects an encoded request body: RFC 9110 §8.4.
 * @throws RequestError `unsupported_media_type`
 * @example
 * checkContentEncoding({ "content-type": "application/json" }); // passes; { "content-encoding": "gzip" } throws
 */
export function checkContentEncoding({ "content-encoding": encoding = "identity" }: IncomingHttpHeaders): void {
  if (/^\s*(?:identity\s*)?$/i.test(encoding)) return;
  throw new RequestError(
    "unsupported_media_type",
    `Content-Encoding: expected identity, found ${encoding.slice(0, 100)}`,
  );
}
