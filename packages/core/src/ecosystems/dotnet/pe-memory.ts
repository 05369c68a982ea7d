import { bytesAt } from "../../bytes/byte-order.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { PeImage } from "../../programs/pe.ts";

/**
 * Bytes of a PE file from an address relative to its base, as its sections map it; fewer than `maxBytes` if the section ends before.
 * @throws ScanError `malformed_package_db` if no section has the address, or the file ends before
 */
export function bytesFrom({ program, base }: PeImage, address: number, maxBytes: number): Uint8Array {
  const place = base + address;
  const section = program.sections.find((each) => each.address <= place && place < each.address + each.sizeBytes);
  if (section === undefined) throw malformedPackageDb(`PE: expected a section with address ${address}, found none`);
  const within = place - section.address;
  return bytesAt(program.bytes, section.offset + within, Math.min(maxBytes, section.sizeBytes - within));
}

/** Like {@link bytesFrom}, exactly `length` bytes. @throws ScanError `malformed_package_db` if the section has fewer */
export function allBytesFrom(image: PeImage, address: number, length: number): Uint8Array {
  const bytes = bytesFrom(image, address, length);
  if (bytes.length === length) return bytes;
  throw malformedPackageDb(`PE: expected ${length} bytes at address ${address}, found ${bytes.length}`);
}
