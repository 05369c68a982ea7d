import { bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import { type DamagedPart, damagedPart, malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { RpmRecord } from "./record.ts";

const { u32 } = littleEndian;
const headerMagic = fourLetters("RpmP");
const slotMagic = fourLetters("Slot");
const blobMagic = fourLetters("BlbS");
const tailMagic = fourLetters("BlbE");
const headerBytes = 32;
const slotBytes = 16;
const blockBytes = 16;
const slotPageBytes = 4096;
const maxSlotPages = 2048;
const blobHeadBytes = 16;
const blobTailBytes = 12;

/** Bytes that are searched at once; a multiple of a block. */
const windowBytes = 64 * 1024;

/** Whether a file begins like rpm's own database format. */
export function isNdb(bytes: ByteParts): boolean {
  return bytes.length >= headerBytes && u32(bytes.subarray(0, headerBytes), 0) === headerMagic;
}

/**
 * Reads the records of a `Packages.db` file, rpm's own format. Little-endian:
 *
 * ```text
 * file   u32 "RpmP", u32 version 0, u32 generation, u32 slot pages of 4096 bytes, u32 next package number, 12 unused bytes;
 *        slots from byte 32 to the end of the slot pages; blocks of 16 bytes
 * slot   u32 "Slot", u32 package number (0: free), u32 first block, u32 blocks
 * blob   u32 "BlbS", u32 package number, u32 generation, u32 length; the header; zeros; in the last 12 bytes of its blocks
 *        u32 Adler-32 of all before, u32 length, u32 "BlbE"
 * ```
 * @see https://github.com/rpm-software-management/rpm/blob/rpm-4.18.0-release/lib/backend/ndb/rpmpkg.c
 * @throws ScanError `malformed_package_db` if the file as a whole cannot be read
 */
export function* readNdb(bytes: ByteParts): Generator<RpmRecord | DamagedPart> {
  const slots = slotArea(bytes);
  let blocksLeft = bytes.length / blockBytes;
  let usedSlots = 0;
  for (let at = 2 * slotBytes; at < slots.length; at += slotBytes) {
    try {
      const slot = decodeSlot(slots, at);
      if (slot.packageNumber === 0) continue;
      usedSlots++;
      blocksLeft -= slot.blockCount;
      if (blocksLeft < 0) break;
      yield { kind: "record", recordNumber: slot.packageNumber, blob: readBlob(bytes, slots.length, slot) };
    } catch (error) {
      usedSlots++;
      yield damagedPart(`slot at offset ${at}`, error);
    }
  }
  if (blocksLeft < 0)
    throw malformedPackageDb(`the slots name more blocks than the ${bytes.length} bytes of the file hold`);
  if (usedSlots === 0 && hasBlob(bytes, slots.length)) {
    throw malformedPackageDb("expected slots for the packages of the file, found none that is used");
  }
}

/** Whether the file has any package. rpm overwrites a removed package with zeros. */
function hasBlob(bytes: ByteParts, from: number): boolean {
  for (let start = from; start < bytes.length; start += windowBytes) {
    const part = bytes.subarray(start, start + windowBytes);
    for (let at = 0; at + blobHeadBytes <= part.length; at += blockBytes) if (u32(part, at) === blobMagic) return true;
  }
  return false;
}

interface Slot {
  readonly packageNumber: number;
  readonly firstBlock: number;
  readonly blockCount: number;
}

function slotArea(bytes: ByteParts): Uint8Array {
  if (!isNdb(bytes)) throw malformedPackageDb(`expected "RpmP" at the beginning of the file`);
  const header = bytes.subarray(0, headerBytes);
  if (u32(header, 4) !== 0) throw malformedPackageDb(`expected format version 0, found ${u32(header, 4)}`);
  const slotPages = u32(header, 12);
  if (slotPages < 1 || slotPages > maxSlotPages) {
    throw malformedPackageDb(`expected 1 to ${maxSlotPages} slot pages, found ${slotPages}`);
  }
  return bytesAt(bytes, 0, slotPages * slotPageBytes);
}

function decodeSlot(slots: Uint8Array, at: number): Slot {
  if (u32(slots, at) !== slotMagic) throw malformedPackageDb(`expected "Slot", found 0x${u32(slots, at).toString(16)}`);
  return { packageNumber: u32(slots, at + 4), firstBlock: u32(slots, at + 8), blockCount: u32(slots, at + 12) };
}

function readBlob(bytes: ByteParts, slotAreaBytes: number, slot: Slot): Uint8Array {
  const start = slot.firstBlock * blockBytes;
  if (start < slotAreaBytes)
    throw malformedPackageDb(`expected a block after the slots, found block ${slot.firstBlock}`);
  const blob = bytesAt(bytes, start, slot.blockCount * blockBytes);
  const tail = blob.length - blobTailBytes;
  const length = u32(blob, 12);
  if (u32(blob, 0) !== blobMagic || u32(blob, 4) !== slot.packageNumber) {
    throw malformedPackageDb(`expected "BlbS" and package ${slot.packageNumber} at offset ${start}`);
  }
  if (u32(blob, tail + 8) !== tailMagic || u32(blob, tail + 4) !== length) {
    throw malformedPackageDb(`expected length ${length} and "BlbE" at offset ${start + tail + 4}`);
  }
  const checksum = adler32(blob.subarray(0, tail));
  if (u32(blob, tail) !== checksum) throw malformedPackageDb(`expected Adler-32 ${checksum}, found ${u32(blob, tail)}`);
  return bytesAt(blob.subarray(0, tail), blobHeadBytes, length);
}

function fourLetters(text: string): number {
  return [...text].reduceRight((value, letter) => value * 256 + letter.charCodeAt(0), 0);
}

const modulus = 65521;

/** The largest number of bytes whose sums are exact 32-bit integers. */
const chunkBytes = 5552;

/**
 * The Adler-32 checksum of bytes.
 * @see https://www.rfc-editor.org/rfc/rfc1950#section-9
 */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    for (const byte of bytes.subarray(start, start + chunkBytes)) {
      low += byte;
      high += low;
    }
    low %= modulus;
    high %= modulus;
  }
  return high * 65536 + low;
}
