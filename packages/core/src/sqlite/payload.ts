import { bigEndian, bytesAt } from "../bytes/byte-order.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import type { PageClaims } from "../bytes/page-claims.ts";
import type { SqliteFile } from "./file.ts";

/**
 * The number of bytes of a payload in its cell; the rest is in overflow pages.
 *
 * U usable bytes of a page, P payload, X = U-35 in a table and (U-12)*64/255-23 in an index: all if P ≤ X; otherwise
 * K = M+(P-M)%(U-4) if K ≤ X, else M = (U-12)*32/255-23.
 * @see https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages
 */
export function localPayloadBytes(usableBytes: number, length: number, tree: "table" | "index" = "table"): number {
  const most = tree === "table" ? usableBytes - 35 : Math.floor(((usableBytes - 12) * 64) / 255) - 23;
  if (length <= most) return length;
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const filling = least + ((length - least) % (usableBytes - 4));
  return filling <= most ? filling : least;
}

/** A payload that begins in a cell of a page. */
export interface CellPayload {
  readonly page: Uint8Array;
  readonly offset: number;
  readonly length: number;
  /** Its bytes in the cell; by default those of a table's leaf. */
  readonly local?: number;
}

/**
 * The payload of `length` bytes that begins at `offset` of a page: a part of the page, or a copy joined from the
 * page and its overflow pages, which are `u32 next page or 0` and content.
 * @throws ScanError `malformed_package_db` when the chain of pages ends early, loops or is shared.
 */
export function readPayload(file: SqliteFile, claims: PageClaims, leaf: CellPayload): Uint8Array {
  const localBytes = leaf.local ?? localPayloadBytes(file.usableBytes, leaf.length);
  const local = bytesAt(leaf.page, leaf.offset, localBytes);
  if (localBytes === leaf.length) return local;
  const parts = [local];
  let missing = leaf.length - localBytes;
  for (let next = bigEndian.u32(leaf.page, leaf.offset + localBytes); missing > 0; ) {
    if (next === 0) throw malformedPackageDb(`the chain of overflow pages ends ${missing} bytes early`);
    claims.claim(next);
    const page = file.page(next);
    const part = bytesAt(page, 4, Math.min(missing, file.usableBytes - 4));
    parts.push(part);
    missing -= part.length;
    next = bigEndian.u32(page, 0);
  }
  return file.join(parts);
}
