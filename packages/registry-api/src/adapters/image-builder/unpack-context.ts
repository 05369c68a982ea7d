import { type Bytes, createGunzip, peekBytes, ScanError, TarWalker } from "@plimsoll/core";
import { BuildError } from "../../ports.ts";
import { ContextWriter } from "./context-writer.ts";

/** How much an archive may hold. */
export interface ContextLimits {
  /** Files, folders and links, folders that only paths name included. */
  readonly maxEntries: number;
  /** As the archive comes. */
  readonly maxArchiveBytes: number;
  /** As it is unpacked. */
  readonly maxBytes: number;
}

/** The default limits. */
export const usualContextLimits: ContextLimits = {
  maxEntries: 50_000,
  maxArchiveBytes: 1024 ** 3,
  maxBytes: 4 * 1024 ** 3,
};

const tarLimits = { maxPathBytes: 1024, maxMetaBytes: 65_536 };
const gunzip = createGunzip();

/**
 * Unpacks a tar archive, compressed with gzip or not, into an empty folder. Nothing outside of the folder is written, and no link
 * of the archive leads out of it.
 * @throws BuildError for an archive that is damaged, too large, or leads out of the folder
 */
export async function unpackContext(
  archive: Bytes,
  folder: string,
  { signal, limits = usualContextLimits }: { readonly signal: AbortSignal; readonly limits?: ContextLimits },
): Promise<void> {
  const writer = new ContextWriter(folder, limits);
  const walker = new TarWalker(writer, { ...tarLimits, maxEntries: limits.maxEntries });
  try {
    for await (const chunk of await decompressed(bounded(archive, limits.maxArchiveBytes))) {
      signal.throwIfAborted();
      walker.write(chunk);
    }
    walker.end();
  } catch (cause) {
    if (cause instanceof ScanError) throw new BuildError(`The archive cannot be read: ${cause.message}`, { cause });
    throw cause;
  } finally {
    writer.close();
  }
}

async function decompressed(archive: Bytes): Promise<Bytes> {
  const { head, bytes } = await peekBytes(archive, 512);
  if (head[0] === 0x1f && head[1] === 0x8b) return gunzip(bytes);
  if (head[0] === 0x50 && head[1] === 0x4b) {
    throw new BuildError("The archive is a zip archive; expected a tar archive, compressed with gzip or not");
  }
  if (head.length === 0) throw new BuildError("The archive is empty");
  return bytes;
}

async function* bounded(source: Bytes, maxBytes: number): Bytes {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > maxBytes) throw new BuildError(`The archive has more than ${maxBytes} bytes`);
    yield chunk;
  }
}
