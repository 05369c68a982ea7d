import { bigEndian, littleEndian } from "../bytes/byte-order.ts";
import { concatBytes } from "../bytes/concat-bytes.ts";
import type { Watcher } from "../tar/entry.ts";

/** The magic numbers of a hash table and of a B-tree. */
const magicNumbers: ReadonlySet<number> = new Set([0x00061561, 0x00053162]);
const magicAt = 12;
const headBytes = magicAt + 4;

/**
 * Watches the beginning of a file for the magic of a Berkeley DB, in either byte order.
 * @see https://github.com/berkeleydb/libdb/blob/v5.3.28/src/dbinc/db_page.h
 */
export function watchBerkeleyDb(onFound: () => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  return (part) => {
    head = concatBytes([head, part.subarray(0, headBytes - head.length)]);
    if (head.length < headBytes) return true;
    if ([littleEndian, bigEndian].some((order) => magicNumbers.has(order.u32(head, magicAt)))) onFound();
    return false;
  };
}
