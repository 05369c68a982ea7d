import { bytesAt } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";
import { type ElfHead, readElfHead, readElfSegments, readHeaders } from "./elf-head.ts";
import { nameIn, type Program, type Section } from "./program.ts";

/**
 * The section headers of an ELF file; `elf-head.ts` describes the headers before them. At 32 or 64 bits:
 *
 * ```text
 * section  u32 where its name begins; u32 type (8: nothing in the file); at 12 u32 or 16 u64 address, then offset and
 *          size; at 24 or 40 u32 link
 * ```
 * If the ELF header has 0 as the number of sections, the number is the size of the first section. If it has 0xffff as the index of the
 * section with the names, the index is the link of the first section.
 * @see https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html
 */
const emptySection = 8;
const namesElsewhere = 0xffff;
/** Bytes that are read of the names of all sections. */
const maxNamesBytes = 4 * 1024 ** 2;

/** Reads the headers of an ELF file. @throws ScanError `malformed_package_db` */
export function readElf(bytes: ByteParts): Program {
  const head = readElfHead(bytes);
  const { order } = head;
  return { bytes, order, sections: readSections(bytes, head), segments: readElfSegments(bytes, head) };
}

function readSections(bytes: ByteParts, head: ElfHead): readonly Section[] {
  const { sections, namesIndex } = head;
  const isStripped = sections.offset === 0;
  const [first] = isStripped ? [] : rawSections(bytes, head, 1);
  if (first === undefined) return [];
  const raw = rawSections(bytes, head, sections.count === 0 ? first.sizeBytes : sections.count);
  const named = raw[namesIndex === namesElsewhere ? first.link : namesIndex];
  if (named === undefined) return [];
  const names = bytesAt(bytes, named.offset, Math.min(named.sizeBytes, maxNamesBytes));
  return raw
    .filter(({ type }) => type !== emptySection)
    .map(({ nameAt, offset, sizeBytes, address }) => ({ name: nameIn(names, nameAt), offset, sizeBytes, address }));
}

/** The fields of a section header. */
interface RawSection extends Omit<Section, "name"> {
  readonly nameAt: number;
  readonly type: number;
  readonly link: number;
}

function rawSections(bytes: ByteParts, { order, isWide, sections }: ElfHead, count: number): readonly RawSection[] {
  const { u32, u64 } = order;
  return readHeaders(bytes, { ...sections, count }, isWide ? 64 : 40).map((header) => ({
    nameAt: u32(header, 0),
    type: u32(header, 4),
    address: isWide ? u64(header, 16) : u32(header, 12),
    offset: isWide ? u64(header, 24) : u32(header, 16),
    sizeBytes: isWide ? u64(header, 32) : u32(header, 20),
    link: u32(header, isWide ? 40 : 24),
  }));
}
