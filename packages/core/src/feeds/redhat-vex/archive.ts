import type { Bytes } from "../../bytes/bytes.ts";
import { ScanError } from "../../errors.ts";
import type { TarEntry, TarVisitor } from "../../tar/entry.ts";
import { TarWalker } from "../../tar/walk.ts";
import { decompressed } from "../shared/decompressed.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";

/** A document of an archive. */
export interface ArchivedDocument {
  readonly name: string;
  /** Undefined for one that is too large. */
  readonly bytes: Uint8Array | undefined;
}

/** Bytes of one document; the largest of the feed have a third of it. */
const maxDocumentBytes = 64 * 1024 ** 2;

/** Bytes of a whole archive, decompressed; that of 2025 has more than 10 GB. */
const maxArchiveBytes = 128 * 1024 ** 3;

/** Bytes that are walked at once: documents that end in them are in memory together. */
const sliceBytes = 64 * 1024;

const limits = { maxEntries: 2_000_000, maxPathBytes: 4096, maxMetaBytes: 1024 ** 2 };

/**
 * The JSON documents of a tar archive one by one, in the order of the archive. Memory is bounded by the largest document.
 * @throws ScanError `malformed_feed` that names `location` for an archive that is damaged or ends too early
 */
export async function* archivedDocuments(source: Bytes, location: string): AsyncGenerator<ArchivedDocument> {
  const found: ArchivedDocument[] = [];
  const walker = new TarWalker(collectorOf(found), limits);
  const run = (step: () => void): readonly ArchivedDocument[] => {
    try {
      step();
    } catch (error) {
      throw error instanceof ScanError ? malformedFeed(location, error.message, error) : error;
    }
    return found.splice(0);
  };
  for await (const chunk of decompressed(source, location, maxArchiveBytes)) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      yield* run(() => walker.write(chunk.subarray(at, at + sliceBytes)));
    }
  }
  yield* run(() => walker.end());
}

function collectorOf(found: ArchivedDocument[]): TarVisitor {
  return {
    entry(entry: TarEntry) {
      if (entry.kind !== "file" || !entry.name.endsWith(".json")) return false;
      if (entry.sizeBytes <= maxDocumentBytes && entry.isSparse !== true) return true;
      found.push({ name: nameOf(entry), bytes: undefined });
      return false;
    },
    content: (entry, bytes) => found.push({ name: nameOf(entry), bytes }),
  };
}

/** `2023/cve-2023-0049.json` */
function nameOf({ name }: TarEntry): string {
  return name.replace(/^(?:\.?\/)+/, "");
}
