import type { Bytes } from "../../bytes/bytes.ts";
import type { Limits } from "../../bytes/limits.ts";
import { ScanError } from "../../errors.ts";
import { type Compression, sniff } from "../../layer/sniff.ts";
import type { Decompressors } from "../../ports.ts";
import { peek } from "./peek.ts";

/** An archive that was looked at. */
export interface SniffedArchive {
  readonly compression: Compression;
  /** From the beginning, as stored. */
  readonly bytes: Bytes;
}

const headBytes = 512;

/**
 * Tells from its first bytes how an archive is compressed as a whole.
 * @throws ScanError `unsupported_compression`, `malformed_archive`
 */
export async function sniffArchive(source: Bytes): Promise<SniffedArchive> {
  const { head, bytes, close } = await peek(source, headBytes);
  async function* beginning(): Bytes {
    yield head;
  }
  try {
    return { compression: (await sniff(beginning())).compression, bytes };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What decompressing an archive needs. */
export interface DecompressArchiveOptions {
  readonly decompressors: Decompressors;
  readonly limits: Pick<Limits, "maxRatio" | "ratioFromBytes">;
}

/**
 * The archive itself. What may be spent on a layer may be spent on each byte of an archive as well.
 * @throws ScanError `layer_ratio`, `layer_truncated`, `layer_corrupt`
 */
export async function* decompressArchive(
  { compression, bytes }: SniffedArchive,
  { decompressors, limits }: DecompressArchiveOptions,
): Bytes {
  if (compression === "none") {
    yield* bytes;
    return;
  }
  const decompressor = decompressors[compression];
  if (decompressor === undefined) throw new ScanError("unsupported_compression", `${compression} cannot be read here`);
  let storedBytes = 0;
  let plainBytes = 0;
  async function* counted(): Bytes {
    for await (const chunk of bytes) {
      storedBytes += chunk.length;
      yield chunk;
    }
  }
  for await (const chunk of decompressor(counted())) {
    plainBytes += chunk.length;
    if (plainBytes > limits.ratioFromBytes && plainBytes > limits.maxRatio * storedBytes) {
      const found = `${plainBytes} bytes from ${storedBytes}`;
      throw new ScanError("layer_ratio", `the archive gives ${found}, more than maxRatio, ${limits.maxRatio} times`);
    }
    yield chunk;
  }
}
