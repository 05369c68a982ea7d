import { bigEndian, littleEndian } from "../../bytes/byte-order.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import type { EvidenceRule } from "../../plugins/evidence.ts";
import type { Watcher } from "../../tar/entry.ts";

/** The magic numbers of a hash table and of a B-tree. */
const magicNumbers: ReadonlySet<number> = new Set([0x00061561, 0x00053162]);
const magicAt = 12;
const headBytes = magicAt + 4;

/**
 * Watches the beginning of a file for the magic of a Berkeley DB, in either byte order.
 * @see https://github.com/berkeleydb/libdb/blob/v5.3.28/src/dbinc/db_page.h
 */
function watchBerkeleyDb(onFound: () => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  return (part) => {
    head = concatBytes([head, part.subarray(0, headBytes - head.length)]);
    if (head.length < headBytes) return true;
    if ([littleEndian, bigEndian].some((order) => magicNumbers.has(order.u32(head, magicAt)))) onFound();
    return false;
  };
}

const isRead = /^(?:(?:usr\/lib\/sysimage|usr\/share|var\/lib)\/rpm|usr\/lib\/sysimage\/rpm-ostree-base-db)\/[^/]+$/;

/** What shows that there are databases of rpm at places that the detector does not read. */
export const rpmEvidence: readonly EvidenceRule[] = [
  {
    kind: "rpm",
    files: ["rpmdb.sqlite", "Packages.db"],
    where: /(?:^|\/)(?:rpmdb\.sqlite|Packages\.db)$/,
    unless: isRead,
  },
  { kind: "rpm", files: ["Packages"], where: /(?:^|\/)rpm(?:db)?\/Packages$/, unless: isRead },
  // other files have this name too, such as lists of apt
  { kind: "rpm", files: ["Packages"], where: /(?:^|\/)Packages$/, unless: isRead, watch: watchBerkeleyDb },
];
