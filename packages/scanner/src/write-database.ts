import { closeSync, openSync, writeSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Bytes, ScanError } from "@plimsoll/core";
import { peekBytes, type TarEntry, TarWalker } from "@plimsoll/core/internal";

/** The public index has about 1 GB. */
const maxIndexBytes = 16 * 1024 ** 3;
const tarLimits = { maxEntries: 1000, maxPathBytes: 4096, maxMetaBytes: 65_536 };

/**
 * Writes an SQLite database to a file: the given bytes, their content if they are compressed by gzip, or the first `*.db` of a tar archive.
 * @param shown the source, for messages
 * @throws ScanError `malformed_feed` if the bytes have no database, or are damaged
 */
export async function writeDatabase(path: string, source: Bytes, shown: string): Promise<void> {
  const fd = openSync(path, "w", 0o644);
  try {
    const { head, bytes } = await peekBytes(await unpacked(source), tarBlockBytes);
    const file = fileTarget(fd, shown);
    if (!isDatabase(head) && !isTar(head)) throw noDatabase(shown);
    const target = isDatabase(head) ? file : tarTarget(file, shown);
    for await (const chunk of bytes) target.write(chunk);
    target.end();
  } catch (error) {
    if (!isOfContent(error)) throw error;
    throw new ScanError("malformed_feed", `${shown}: ${error.message}`, { cause: error });
  } finally {
    closeSync(fd);
  }
}

/** Whether the bytes are damaged, as opposed to a failure of their source or of the disk. */
function isOfContent(error: unknown): error is Error {
  if (error instanceof ScanError) return ["malformed_archive", "layer_truncated", "entry_limit"].includes(error.code);
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}

const magic = "SQLite format 3";

function isDatabase(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(0, magic.length)) === magic;
}

const tarBlockBytes = 512;

/** Whether the bytes begin with a header of a tar archive, which every writer of the last thirty years marks. */
function isTar(head: Uint8Array): boolean {
  return head.length >= tarBlockBytes && new TextDecoder().decode(head.subarray(257, 262)) === "ustar";
}

function noDatabase(shown: string): ScanError {
  return new ScanError("malformed_feed", `${shown}: expected an SQLite database, or a tar archive with one (*.db)`);
}

async function unpacked(source: Bytes): Promise<Bytes> {
  const { head, bytes } = await peekBytes(source, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return bytes;
  return pipeline(Readable.from(bytes), createGunzip(), () => {}); // reading the result throws the error
}

function fileTarget(fd: number, shown: string) {
  let written = 0;
  return {
    write(chunk: Uint8Array): void {
      written += chunk.length;
      if (written > maxIndexBytes) {
        throw new ScanError("malformed_feed", `${shown}: the index has more than ${maxIndexBytes} bytes`);
      }
      for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
    },
    end: () => {},
  };
}

/** Writes the first database of a tar archive. */
function tarTarget(database: Pick<ReturnType<typeof fileTarget>, "write">, shown: string) {
  let isFound = false;
  const entry = ({ name, kind }: TarEntry) => {
    if (kind !== "file" || isFound || !name.endsWith(".db")) return false;
    isFound = true;
    return (part: Uint8Array) => {
      database.write(part);
      return true;
    };
  };
  const walker = new TarWalker({ entry, content: () => {} }, tarLimits);
  return {
    write: (chunk: Uint8Array) => walker.write(chunk),
    end() {
      walker.end();
      if (isFound) return;
      throw noDatabase(shown);
    },
  };
}
