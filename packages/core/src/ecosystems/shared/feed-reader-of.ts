import type { Bytes } from "../../bytes/bytes.ts";
import { ScanError } from "../../errors.ts";
import type { Feed, FeedDocument, FeedFolder, FeedReader } from "../../plugins.ts";
import { crc32 } from "../../zip/crc32.ts";

/**
 * A feed reader over documents in memory. The document named `""` is the configured location itself; without it, that is
 * a folder of all of them when `asFolder` says so, else it is not there.
 */
export function feedReaderOf(
  documents: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly layout: "folder" | "site" } = { layout: "site" },
): FeedReader {
  const files = new Map(Object.entries(documents).map(([name, content]) => [name, bytesOf(content)]));
  return {
    async open(name = "", previous) {
      const feed = find(files, name, options.layout);
      if (feed === undefined) throw new ScanError("not_found", `no document ${JSON.stringify(name)}`);
      return feed.validator === previous ? { kind: "unchanged" } : feed;
    },
  };
}

function find(files: ReadonlyMap<string, Uint8Array>, name: string, layout: string): OpenFeed | undefined {
  const bytes = files.get(name);
  if (bytes !== undefined) return documentOf(name, bytes);
  return name === "" && layout === "folder" ? folderOf(files) : undefined;
}

type OpenFeed = Exclude<Feed, { readonly kind: "unchanged" }>;

function documentOf(name: string, bytes: Uint8Array): FeedDocument {
  return {
    kind: "document",
    location: name === "" ? "memory" : `memory/${name}`,
    validator: validatorOf(bytes),
    sizeBytes: bytes.length,
    stream: () => chunksOf(bytes),
    readAt: async (offset, length) => bytes.slice(offset, offset + length),
  };
}

function folderOf(files: ReadonlyMap<string, Uint8Array>): FeedFolder {
  const names = [...files.keys()].sort();
  return {
    kind: "folder",
    location: "memory",
    validator: names.map((name) => `${name} ${validatorOf(files.get(name) ?? new Uint8Array())}`).join(","),
    names,
    async read(name) {
      const bytes = files.get(name);
      if (bytes === undefined) throw new ScanError("not_found", `no document ${JSON.stringify(name)}`);
      return bytes;
    },
  };
}

/** Small chunks in one reused buffer, as the network sends them. */
async function* chunksOf(bytes: Uint8Array): Bytes & AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(4096);
  for (let at = 0; at < bytes.length; at += buffer.length) {
    const chunk = bytes.subarray(at, at + buffer.length);
    buffer.set(chunk);
    yield buffer.subarray(0, chunk.length);
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function validatorOf(bytes: Uint8Array): string {
  return `${bytes.length}-${crc32(bytes).toString(16)}`;
}
