import type { Bytes } from "../../bytes/bytes.ts";
import type { Limits } from "../../bytes/limits.ts";
import type { KnownCompression } from "../../compression/compression-of.ts";
import { decompress } from "../../compression/decompressed-document.ts";
import { ScanError } from "../../errors.ts";
import type { Sniffed } from "../../layer/sniff.ts";
import type { Decompress, Decompressors } from "../../ports.ts";

/** Options of {@link decompressArchive}. */
export interface DecompressArchiveOptions {
  readonly decompressors: Decompressors;
  readonly limits: Pick<Limits, "maxRatio" | "ratioFromBytes">;
}

/**
 * The uncompressed archive. The limit on the compression ratio of a layer applies to the archive as well.
 * @throws ScanError `layer_ratio`, `layer_truncated`, `layer_corrupt`, `malformed_archive`
 */
export async function* decompressArchive(
  { compression, bytes }: Sniffed,
  { decompressors, limits }: DecompressArchiveOptions,
): Bytes {
  if (compression === "none") {
    yield* bytes;
    return;
  }
  let storedBytes = 0;
  let plainBytes = 0;
  async function* counted(): Bytes {
    for await (const chunk of bytes) {
      storedBytes += chunk.length;
      yield chunk;
    }
  }
  for await (const chunk of decompressorFor(compression, decompressors)(counted())) {
    plainBytes += chunk.length;
    if (plainBytes > limits.ratioFromBytes && plainBytes > limits.maxRatio * storedBytes) {
      const found = `${plainBytes} bytes from ${storedBytes}`;
      throw new ScanError("layer_ratio", `the archive gives ${found}, more than maxRatio, ${limits.maxRatio} times`);
    }
    yield chunk;
  }
}

/** The platform's own for gzip and zstd, which are the usual ones; any platform decompresses the others. */
function decompressorFor(compression: KnownCompression, decompressors: Decompressors): Decompress {
  const own = compression === "gzip" || compression === "zstd" ? decompressors[compression] : undefined;
  return own ?? ((bytes) => decompress(compression, bytes));
}
