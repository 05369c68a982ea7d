import type { Bytes } from "../bytes/bytes.ts";
import type { Decompress, DecompressOptions } from "../ports.ts";
import { type Crc32, GzipMembers } from "./gzip-members.ts";
import { type CompiledInflater, compileInflater, Inflater } from "./inflater.ts";

/** Idle decoders kept for later streams; each holds about 520 KB. */
const maxIdle = 4;

/**
 * Makes a gzip decompressor that needs only WebAssembly. Several streams may run at the same time; each has its own decoder, and its
 * chunks are views of the decoder's memory. For verified streams only the lengths are checked, not the CRC-32.
 * @param options `crc32`: a faster CRC-32 than WebAssembly's, where the platform has one
 * @example
 * const response = await fetch("https://images.example.com/layer.tar.gz");
 * const gunzip = createGunzip();
 * if (response.body !== null) for await (const chunk of gunzip(response.body)) console.log(chunk.length);
 */
export function createGunzip({
  crc32,
}: {
  readonly crc32?: (bytes: Uint8Array, previous: number) => number;
} = {}): Decompress {
  const idle: Inflater[] = [];
  let module: CompiledInflater | undefined;
  return async function* gunzip(source: Bytes, { isVerified = false }: DecompressOptions = {}): Bytes {
    module ??= compileInflater();
    const inflater = idle.pop() ?? new Inflater(module);
    inflater.reset();
    const checksum: Crc32 = crc32 ?? ((output, previous) => inflater.crc32(output, previous));
    const members = new GzipMembers(inflater, isVerified ? undefined : checksum);
    try {
      yield* decodeAll(source, inflater, members);
    } finally {
      if (idle.length < maxIdle) idle.push(inflater);
    }
  };
}

async function* decodeAll(source: Bytes, inflater: Inflater, members: GzipMembers): Bytes {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      at += inflater.add(chunk, at);
      yield* members.decode();
      if (members.isDone) return;
    }
  }
  inflater.endInput();
  yield* members.decode();
  members.end();
}
