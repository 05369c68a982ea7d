/** A compression that is known by the first bytes of what it compresses. */
export type KnownCompression = "bzip2" | "gzip" | "xz" | "zstd";

const magics: readonly (readonly [KnownCompression, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
];

/** The number of first bytes by which {@link compressionOf} knows a compression. */
export const magicBytes = 6;

/** The compression of bytes by the first of them; undefined where they are not compressed, or in an unknown way. */
export function compressionOf(head: Uint8Array): KnownCompression | undefined {
  const found = magics.find(([, magic]) => magic.every((byte, at) => head[at] === byte))?.[0];
  return found ?? (startsWithSkippableFrame(head) ? "zstd" : undefined);
}

/** @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.2 */
function startsWithSkippableFrame(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}
