import { bigEndian, bytesAt } from "../bytes/byte-order.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import type { PageClaims } from "../bytes/page-claims.ts";
import type { SqliteFile } from "./file.ts";

/**
 * The number of bytes of a payload in its leaf cell; the rest is in overflow pages.
 *
 * U usable bytes of a page, P payload: all if P ≤ U-35; otherwise K = M+(P-M)%(U-4) if K ≤ U-35, else
 * M = (U-12)*32/255-23.
 * @see https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages
 */
export function localPayloadBytes(usableBytes: number, length: number): number {
  const most = usableBytes - 35;
  if (length <= most) return length;
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const filling = least + ((length - least) % (usableBytes - 4));
  return filling <= most ? filling : least;
}

/**
 * The payload of `length` bytes that begins at `offset` of a leaf page: a part of the page, or a copy joined from the
 * page and its overflow pages, which are `u32 next page or 0` and content.
 * @throws ScanError `malformed_package_db` when the chain of pages ends early, loops or is shared.
 */
export function readPayload(
  file: SqliteFile,
  claims: PageClaims,
  leaf: { readonly page: Uint8Array; readonly offset: number; readonly length: number },
): Uint8Array {
  const localBytes = localPayloadBytes(file.usableBytes, leaf.length);
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
