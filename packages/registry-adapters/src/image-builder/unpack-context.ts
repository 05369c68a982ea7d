import { type FileHandle, open, rm } from "node:fs/promises";
import { type Bytes, ScanError } from "@plimsoll/core";
import {
  createGunzip,
  listZip,
  openZip,
  peekBytes,
  TarWalker,
  type ZipEntry,
  type ZipSource,
} from "@plimsoll/core/internal";
import { BuildError } from "@plimsoll/registry/ports/building";
import { ContextWriter, quoteName } from "./context-writer.ts";

/** Limits of an archive. */
export interface ContextLimits {
  /** Files, folders and links, including folders that only occur in paths. */
  readonly maxEntries: number;
  /** The size of the archive itself, compressed. */
  readonly maxArchiveBytes: number;
  /** The size of its files together, unpacked. */
  readonly maxBytes: number;
}

/** The default limits. */
const defaultContextLimits: ContextLimits = {
  maxEntries: 50_000,
  maxArchiveBytes: 1024 ** 3,
  maxBytes: 4 * 1024 ** 3,
};

const tarLimits = { maxPathBytes: 1024, maxMetaBytes: 65_536 };
const gunzip = createGunzip();

/**
 * Unpacks a tar archive, compressed with gzip or not, or a zip archive into an empty folder. Nothing outside of the folder is written, and no link
 * of the archive leads out of it.
 * @throws BuildError for an archive that is damaged, too large, or leads out of the folder
 */
export async function unpackContext(
  archive: Bytes,
  folder: string,
  { signal, limits = defaultContextLimits }: { readonly signal: AbortSignal; readonly limits?: ContextLimits },
): Promise<void> {
  const writer = new ContextWriter(folder, limits);
  try {
    const { head, bytes } = await peekBytes(bounded(archive, limits.maxArchiveBytes), 512);
    if (head.length === 0) throw new BuildError("The archive is empty");
    if (isZip(head)) await unpackZip(bytes, `${folder}.zip`, { writer, signal });
    else await unpackTar(isGzip(head) ? gunzip(bytes) : bytes, { writer, signal, maxEntries: limits.maxEntries });
  } catch (cause) {
    if (cause instanceof ScanError) throw new BuildError(`The archive cannot be read: ${cause.message}`, { cause });
    throw cause;
  } finally {
    writer.close();
  }
}

interface Unpacking {
  readonly writer: ContextWriter;
  readonly signal: AbortSignal;
}

async function unpackTar(
  archive: Bytes,
  { writer, signal, maxEntries }: Unpacking & { readonly maxEntries: number },
): Promise<void> {
  const walker = new TarWalker(writer, { ...tarLimits, maxEntries });
  for await (const chunk of archive) {
    signal.throwIfAborted();
    walker.write(chunk);
  }
  walker.end();
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** `PK`, and the header of an entry or the end of an empty archive. */
function isZip([first, second, third = 0, fourth = 0]: Uint8Array): boolean {
  const mark = third * 256 + fourth;
  return first === 0x50 && second === 0x4b && (mark === 0x0304 || mark === 0x0506);
}

async function* bounded(source: Bytes, maxBytes: number): Bytes {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > maxBytes) throw new BuildError(`The archive has more than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** The mask of file types in a Unix mode, and the type of symbolic links. */
const [typeBits, linkType] = [0o170000, 0o120000];

/** The longest path on Linux: bytes. */
const longestLink = 4096;

/**
 * Unpacks a zip archive. Its directory is at its end, so it is written to a temporary file first.
 * @throws ScanError for a damaged archive; BuildError for an encrypted entry; errors of the writer
 */
async function unpackZip(
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
