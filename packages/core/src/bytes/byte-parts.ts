import { malformedPackageDb } from "./malformed-package-db.ts";

/** Bytes that can be read in parts, in memory or elsewhere. A `Uint8Array` is one. */
export interface ByteParts {
  readonly length: number;
  /** The bytes from `start` to before `end`, fewer where the bytes end. They do not change later. */
  subarray(start: number, end: number): Uint8Array;
}

/**
 * The content of a file, to be read part by part. One that is kept outside memory is not loaded, as it is where `bytes` is read: also by taking
 * the file apart (`{ bytes, parts = bytes }`).
 */
export function contentOf(file: Content): ByteParts {
  return file.parts ?? file.bytes;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly parts?: ByteParts;
}

/** The whole content of a file, which is loaded only if it is not larger. @throws ScanError `malformed_package_db` if it is */
export function wholeOf(file: Content, maxBytes: number): Uint8Array {
  const { length } = contentOf(file);
  if (length <= maxBytes) return file.bytes;
  throw malformedPackageDb(`expected at most ${maxBytes} bytes, found ${length}`);
}

/** All bytes in pieces of a size, for what reads them once, such as a hash. */
export function* piecesOf(bytes: ByteParts, pieceBytes: number = 1024 ** 2): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** A view of a part of the bytes, which may claim to be longer than they are. */
export function partOf(bytes: ByteParts, offset: number, length: number): ByteParts {
  const end = Math.max(0, Math.min(length, bytes.length - offset));
  return {
    length: end,
    subarray: (start, to) => bytes.subarray(offset + start, offset + Math.max(start, Math.min(to, end))),
  };
}
