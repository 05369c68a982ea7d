import type { Bytes } from "../../bytes/bytes.ts";
import { ScanError } from "../../errors.ts";
import type { TarEntry } from "../../tar/entry.ts";
import { TarWalker } from "../../tar/walk.ts";
import { decompressed } from "./feed-files.ts";
import { type FeedText, type SkippedText, skipRuleOf, type UnreadableText, type WantsDocument } from "./feed-text.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** Limits for archives; the largest database of advisories has a third of these entries. */
const limits = { maxEntries: 2_000_000, maxPathBytes: 4096, maxMetaBytes: 1024 ** 2 } as const;

/** The maximal size of one document; the largest has a third of it. */
const maxDocumentBytes = 64 * 1024 ** 2;

/** The maximal size of a whole archive, decompressed; Red Hat's of 2025 has more than 10 GB. */
const maxArchiveBytes = 128 * 1024 ** 3;

/** The number of bytes parsed at once; all documents that end in them are in memory together. */
const sliceBytes = 64 * 1024;

type ListedText = FeedText | SkippedText | UnreadableText;

/**
 * The documents of a tar archive, those that are not wanted without their content, compressed or not, one by one in the order of the archive. Memory is limited by the largest
 * document. A document that is too large is returned as unreadable.
 * @throws ScanError `malformed_feed` with `location` in its message, for a damaged or truncated archive
 */
export async function* tarDocuments(source: Bytes, location: string, wants: WantsDocument): AsyncGenerator<ListedText> {
  const found: ListedText[] = [];
  const walker = walkerInto(found, location, wants);
  const run = (step: () => void): readonly ListedText[] => {
    try {
      step();
    } catch (error) {
      throw error instanceof ScanError ? malformedFeed(location, error.message, error) : error;
    }
    return found.splice(0);
  };
  for await (const chunk of decompressed(source, location, maxArchiveBytes)) {
    for (let at = 0; at < chunk.length; at += sliceBytes)
      yield* run(() => walker.write(chunk.subarray(at, at + sliceBytes)));
  }
  yield* run(() => walker.end());
}

function walkerInto(found: ListedText[], location: string, wants: WantsDocument): TarWalker {
  return new TarWalker(
    {
      entry(entry) {
        const name = nameOf(entry);
        if (entry.kind !== "file") return false;
        const skipped = skipRuleOf(wants, name);
        if (skipped !== undefined) {
          found.push({ location: `${location}: ${name}`, skipped });
          return false;
        }
        if (entry.sizeBytes <= maxDocumentBytes && entry.isSparse !== true) return true;
        const message = `expected at most ${maxDocumentBytes} bytes, found ${entry.sizeBytes}`;
        found.push({ name, location: `${location}: ${name}`, error: new ScanError("malformed_feed", message) });
        return false;
      },
      content(entry, bytes) {
        const name = nameOf(entry);
        found.push({ name, location: `${location}: ${name}`, bytes, isEntry: true });
      },
    },
    limits,
  );
}

/** `2023/cve-2023-0049.json` of `./2023/cve-2023-0049.json` */
function nameOf({ name }: TarEntry): string {
  return name.replace(/^(?:\.?\/)+/, "");
}
