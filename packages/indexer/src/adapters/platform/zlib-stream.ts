import type { Transform } from "node:stream";
import { type Bytes, ScanError } from "@plimsoll/core";

/** Bytes that a zlib stream gives at once. Its default of 16 KB costs twice the time. */
export const outputChunkBytes = 256 * 1024;

/** What `node:zlib` calls damage that is a lack of bytes. */
const truncatedCodes: ReadonlySet<unknown> = new Set(["Z_BUF_ERROR", "ZSTD_error_srcSize_wrong"]);

/**
 * Sends bytes through a stream of `node:zlib`. A chunk is used up before the next is asked for, and the source is let
 * go as soon as the consumer stops.
 * @throws ScanError `layer_truncated`, `layer_corrupt`; errors of the source as they are
 */
export async function* throughZlib(source: Bytes, stream: Transform): Bytes {
  const feeding = feed(source, stream);
  feeding.catch(() => {}); // it is awaited below; until then a failure must not count as unhandled
  try {
    for await (const chunk of stream) yield chunk;
    await feeding;
  } catch (error) {
    throw isZlibError(error) ? describeDamage(error) : error;
  } finally {
    stream.destroy();
    await feeding.catch(() => {});
  }
}

async function feed(source: Bytes, stream: Transform): Promise<void> {
  try {
    for await (const chunk of source) if (!(await write(stream, chunk))) return;
    stream.end();
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error("the source failed", { cause: error }));
  }
}

/** Whether the stream took the chunk; false once it is destroyed: after damage, zlib leaves a write unanswered. */
function write(stream: Transform, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const closed = () => resolve(false);
    if (stream.closed) return closed();
    stream.once("close", closed);
    stream.write(chunk, (error) => {
      stream.off("close", closed);
      resolve(!error);
    });
  });
}

interface ZlibError extends Error {
  readonly code: string;
}

function isZlibError(error: unknown): error is ZlibError {
  return error instanceof Error && "code" in error && /^(Z_|ZSTD_|ERR_ZLIB)/.test(String(error.code));
}

function describeDamage(error: ZlibError): ScanError {
  const code = truncatedCodes.has(error.code) ? "layer_truncated" : "layer_corrupt";
  return new ScanError(code, `decompressing the layer: ${error.message} (${error.code})`, { cause: error });
}
