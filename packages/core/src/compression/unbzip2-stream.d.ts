/** The parts of `unbzip2-stream` that do not use Node's streams. */
declare module "unbzip2-stream/lib/bit_iterator.js" {
  /** Makes a function that reads a number of `count` bits. */
  const openBits: (nextBytes: () => Uint8Array) => ((count: number | null) => number) & { readonly bytesRead: number };
  export = openBits;
}

declare module "unbzip2-stream/lib/bzip2.js" {
  import type openBits from "unbzip2-stream/lib/bit_iterator.js";

  interface Bzip2 {
    /** Starts a stream; returns the size of its blocks in units of 100 kB. */
    header(bits: ReturnType<typeof openBits>): number;
    /** Decodes a block. Returns the checksum of the stream so far; null at the stream's end. */
    decompress(
      bits: ReturnType<typeof openBits>,
      give: (byte: number) => void,
      symbols: Int32Array,
      blockBytes: number,
      checksum: number,
    ): number | null;
  }
  const bzip2: Bzip2;
  export = bzip2;
}
