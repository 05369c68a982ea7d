import { byteAt, bytesAt } from "../../bytes/byte-order.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { PageClaims } from "../../bytes/page-claims.ts";
import { type BdbPages, pageHeaderBytes } from "./bdb-pages.ts";

const overflowPage = 7;

/**
 * Reads a value of `length` bytes from a chain of overflow pages. Each page has `used bytes` of it after the header,
 * and the number of the `next` page, which is 0 at the end.
 * @throws ScanError `malformed_package_db` if the chain is shorter or longer, loops or leads to other pages
 */
export function readBdbOverflow(
  pages: BdbPages,
  claims: PageClaims,
  value: { readonly firstPage: number; readonly length: number },
): Uint8Array {
  const parts: Uint8Array[] = [];
  let missing = value.length;
  for (let next = value.firstPage; next !== 0; ) {
    claims.claim(next);
    const page = pages.page(next);
    if (byteAt(page, 25) !== overflowPage) {
      throw malformedPackageDb(`expected page type ${overflowPage} for page ${next}, found type ${byteAt(page, 25)}`);
    }
    const part = bytesAt(page, pageHeaderBytes, pages.order.u16(page, 22));
    parts.push(part);
    missing -= part.length;
    next = pages.order.u32(page, 16);
  }
  if (missing !== 0)
    throw malformedPackageDb(`expected ${value.length} bytes on overflow pages, found ${value.length - missing}`);
  return pages.join(parts);
}
