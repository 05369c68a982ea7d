import { type FileHandle, open, rm } from "node:fs/promises";
import type { Bytes } from "@plimsoll/core";
import { listZip, openZip, type ZipEntry, type ZipSource } from "@plimsoll/core/internal";
import { BuildError } from "@plimsoll/registry/ports/building";
import { quoteName } from "./context-path.ts";
import type { ContextWriter } from "./context-writer.ts";

/** The mask of file types in a Unix mode, and the type of symbolic links. */
const [typeBits, linkType] = [0o170000, 0o120000];

/** The longest path on Linux: bytes. */
const longestLink = 4096;

/**
 * Unpacks a zip archive. Its directory is at its end, so it is written to a temporary file first.
 * @throws ScanError for a damaged archive; BuildError for an encrypted entry; errors of the writer
 */
export async function unpackZip(
  archive: Bytes,
  path: string,
  { writer, signal }: { readonly writer: ContextWriter; readonly signal: AbortSignal },
): Promise<void> {
  const file = await open(path, "wx+", 0o600);
  try {
    const sizeBytes = await save(archive, file, signal);
    const source: ZipSource = { location: "zip archive", sizeBytes, readAt: readerOf(file) };
    const read = openZip(source);
    const entries = await listZip(source);
    for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
      signal.throwIfAborted();
      if (entry.encrypted) throw new BuildError(`The archive has an encrypted file: ${quoteName(entry.name)}`);
      await write(entry, read, writer);
    }
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

async function save(archive: Bytes, file: FileHandle, signal: AbortSignal): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of archive) {
    signal.throwIfAborted();
    await file.writeFile(chunk);
    sizeBytes += chunk.length;
  }
  return sizeBytes;
}

function readerOf(file: FileHandle): ZipSource["readAt"] {
  return async (position, length) => {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(length), position });
    return buffer.subarray(0, bytesRead);
  };
}

async function write(
  entry: ZipEntry,
  read: (entry: ZipEntry) => Promise<Uint8Array>,
  writer: ContextWriter,
): Promise<void> {
  const { name, mode, sizeBytes } = entry;
  const common = { name, linkName: "", sizeBytes, mode: mode === 0 ? 0o644 : mode & 0o777 } as const;
  if (name.endsWith("/")) return void writer.entry({ ...common, kind: "folder" });
  if ((mode & typeBits) === linkType) {
    if (sizeBytes > longestLink) throw new BuildError(`The archive has a link with a long target: ${quoteName(name)}`);
    const linkName = new TextDecoder().decode(await read(entry));
    return void writer.entry({ ...common, kind: "symbolic-link", linkName });
  }
  const watch = writer.entry({ ...common, kind: "file" }); // checks the size limit before the content is read
  if (typeof watch === "function") watch(await read(entry));
}
