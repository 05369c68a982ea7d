/**
 * The 512-byte block before every tar member.
 *
 *     offset  0 name 100 · 100 mode 8 · 108 uid 8 · 116 gid 8 · 124 size 12 · 136 mtime 12 · 148 checksum 8
 *           156 type 1 · 157 link name 100 · 257 magic 6 · 263 version 2 · 265 owner, group, device numbers
 *           345 name prefix: 155 bytes in ustar, 131 in star (`tar` at 508), none in GNU and in v7
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06
 * @see https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
import { ScanError } from "../errors.ts";
import { readNumber } from "./numbers.ts";
import { decodeField } from "./text.ts";

/** Every header is one block, and every content is padded to whole blocks. */
export const blockBytes = 512;

const checksumOffset = 148;
const checksumLength = 8;
const space = 0x20;
const ustarMagic = [0x75, 0x73, 0x74, 0x61, 0x72, 0]; // GNU has a space in place of the NUL
const starMagic = [0x74, 0x61, 0x72, 0];

/**
 * Whether all bytes of the block are zero: two such blocks end an archive.
 * @example
 * isZeroBlock(new Uint8Array(512)); // true
 */
export function isZeroBlock(block: Uint8Array): boolean {
  return block[0] === 0 && hasOnlyZeros(block);
}

/**
 * Whether the block is a header: it contains the sum of its own bytes. Some old programs summed signed bytes.
 * @example
 * hasValidChecksum(new Uint8Array(512)); // false
 */
export function hasValidChecksum(block: Uint8Array): boolean {
  const stated = readNumber(block, checksumOffset, checksumLength);
  let sum = checksumLength * space;
  for (let at = 0; at < checksumOffset; at++) sum += block[at] ?? 0;
  for (let at = checksumOffset + checksumLength; at < blockBytes; at++) sum += block[at] ?? 0;
  return stated === sum || stated === sum - 256 * countNegatives(block);
}

/**
 * The type flag, as a character; `\0` is a file in old archives.
 * @example
 * declare const block: Uint8Array;
 * const isFolder = headerType(block) === "5";
 */
export function headerType(block: Uint8Array): string {
  return String.fromCharCode(block[156] ?? 0);
}

/**
 * The name, with its prefix where the format has one.
 * @example
 * declare const block: Uint8Array;
 * const name = headerName(block);
 */
export function headerName(block: Uint8Array): string {
  const name = decodeField(block, 0, 100);
  const prefix = decodeField(block, 345, prefixLength(block));
  return prefix === "" ? name : `${prefix}/${name}`;
}

/**
 * The target of a link.
 * @example
 * declare const block: Uint8Array;
 * const target = headerLinkName(block);
 */
export function headerLinkName(block: Uint8Array): string {
  return decodeField(block, 157, 100);
}

/** The permission bits. @throws ScanError `malformed_archive` */
export function headerMode(block: Uint8Array, at: number): number {
  return number(block, modeField, at) & 0o7777;
}

/**
 * The size of the content in bytes.
 * @throws ScanError `malformed_archive`
 * @example
 * declare const block: Uint8Array;
 * const sizeBytes = headerSize(block, 0);
 */
export function headerSize(block: Uint8Array, at: number): number {
  return number(block, sizeField, at);
}

function hasOnlyZeros(block: Uint8Array): boolean {
  for (let at = 0; at < block.length; at++) if (block[at] !== 0) return false;
  return true;
}

function countNegatives(block: Uint8Array): number {
  const fields = [...block.subarray(0, checksumOffset), ...block.subarray(checksumOffset + checksumLength, blockBytes)];
  return fields.filter((byte) => byte > 0x7f).length;
}

/** A numeric field of a header, with its name for messages. */
interface NumberField {
  readonly what: string;
  readonly offset: number;
  readonly length: number;
}

const modeField: NumberField = { what: "mode", offset: 100, length: 8 };
const sizeField: NumberField = { what: "size", offset: 124, length: 12 };

function number(block: Uint8Array, { what, offset, length }: NumberField, at: number): number {
  const value = readNumber(block, offset, length);
  if (value !== undefined) return value;
  const found = JSON.stringify(decodeField(block, offset, length));
  throw new ScanError("malformed_archive", `tar header at byte ${at}: ${what} is not a number: ${found}`);
}

function prefixLength(block: Uint8Array): number {
  if (!hasText(block, 257, ustarMagic)) return 0;
  return hasText(block, 508, starMagic) ? 131 : 155;
}

function hasText(block: Uint8Array, offset: number, text: readonly number[]): boolean {
  for (let index = 0; index < text.length; index++) {
    if (block[offset + index] !== text[index]) return false;
  }
  return true;
}
