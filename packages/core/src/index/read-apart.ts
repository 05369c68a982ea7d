import { pureHasher } from "../bytes/pure-hasher.ts";
import type { FoundInLayer, LayerBytes, SourceLayer } from "../image/image-source.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import type { FilesApart, FilesOfLayer } from "./files-apart.ts";
import type { IndexOptions } from "./index-options.ts";
import type { IndexPorts, MadeReport } from "./index-ports.ts";
import type { JoinedFiles } from "./join-files.ts";

/** The largest number of pairs of layers that are read again; an image has one or two. */
const maxPairs = 16;

/**
 * Reads databases again whose write-ahead logs are in other layers, with their logs. The findings are kept in the cache of layers, by the two layers
 * and the paths. Pairs of layers that the source cannot stream again are left out.
 */
export async function readApart<Found extends FoundInLayer, Made extends MadeReport>(
  layers: readonly SourceLayer<Found>[],
  apart: readonly FilesApart[],
  { ports, options }: { readonly ports: IndexPorts<Found, Made>; readonly options: IndexOptions },
): Promise<readonly JoinedFiles<Found>[]> {
  const joined: JoinedFiles<Found>[] = [];
  for (const files of apart.slice(0, maxPairs)) {
    const parts = [files.databases, files.logs].flatMap((each) => partOf(each, layers[each.layer]));
    if (parts.length === 2) joined.push({ files, record: await findOrRead(parts, ports, options) });
  }
  return joined;
}

interface Part extends Pick<FilesOfLayer, "paths"> {
  readonly layer: LayerBytes;
  readonly digest: Digest;
}

function partOf({ paths }: FilesOfLayer, layer: SourceLayer<FoundInLayer> | undefined): readonly Part[] {
  const bytes = layer?.kind === "blob" ? layer : layer?.kind === "read" ? layer.again : undefined;
  return layer === undefined || bytes?.reopens !== true ? [] : [{ layer: bytes, paths, digest: layer.digest }];
}

async function findOrRead<Found extends FoundInLayer, Made extends MadeReport>(
  parts: readonly Part[],
  { readers, cache, engine, singleFlight }: IndexPorts<Found, Made>,
  { signal = new AbortController().signal }: IndexOptions,
): Promise<Found> {
  const digest = digestOf(parts);
  const find = () => cache.find(digest, engine.state);
  const read = async (whileHeld: AbortSignal) => {
    const record = await readers.readTogether({ digest, parts }, { signal: whileHeld });
    await cache.put(record, engine.state);
    return record;
  };
  return (await find()) ?? (singleFlight === undefined ? read(signal) : singleFlight({ digest, find, read, signal }));
}

/** Identifies files by their layers and paths. */
function digestOf(parts: readonly Part[]): Digest {
  const hasher = pureHasher("sha256");
  const text = JSON.stringify(["files that belong together", ...parts.map(({ digest, paths }) => [digest, paths])]);
  hasher.update(new TextEncoder().encode(text));
  return parseDigest(`sha256:${hasher.hex()}`);
}
