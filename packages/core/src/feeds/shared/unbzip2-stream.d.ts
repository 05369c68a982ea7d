/** The parts of `unbzip2-stream` that decode without a stream of Node. */
declare module "unbzip2-stream/lib/bit_iterator.js" {
  /** Makes a function that reads numbers of as many bits as asked for. */
  const openBits: (nextBytes: () => Uint8Array) => ((count: number | null) => number) & { readonly bytesRead: number };
  export = openBits;
}

declare module "unbzip2-stream/lib/bzip2.js" {
  import type openBits from "unbzip2-stream/lib/bit_iterator.js";

  interface Bzip2 {
    /** Begins a stream; the size of its blocks in 100 kB. */
    header(bits: ReturnType<typeof openBits>): number;
    /** Decodes a block. The checksum of the stream so far; null at the stream's end. */
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
