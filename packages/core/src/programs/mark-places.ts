import { bigEndian } from "../bytes/byte-order.ts";
import { ScanError } from "../errors.ts";
import { elfMagic, readElfHead, readElfSegments } from "./elf-head.ts";
import type { Segment } from "./program.ts";

/** A limit of work: every part of the file is compared with every segment. */
const maxSegments = 256;

/** A range of bytes in a file. */
export interface FileRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The ranges of an executable that may have the marks of {@link findBuildMark}. */
export interface MarkPlaces {
  /** Loaded data, which has the build information of Go and the signature of a host of .NET. In file order. */
  readonly data: readonly FileRange[];
  /** The end of the loaded segments. The names of sections, which are not loaded, begin here or later. */
  readonly rustFrom: number;
  /** The end of the names of symbols, which linkers write at the beginning of the first loaded segment. */
  readonly symbolsTo: number;
  /** The beginning of the last bytes of the file, in which a program that was appended to has its mark. Only the headers of sections may come after it. */
  readonly endFrom: number;
}

/** An archive that was appended as a section has the headers of all sections after it, in a program without symbols some 3 KB. */
const endBytes = 8192;

/** The names of symbols beyond this are not searched, so that the search costs little in a large program. */
const maxSymbolsBytes = 1024 ** 2;

const anywhere = { data: [{ from: 0, to: Number.POSITIVE_INFINITY }], rustFrom: 0, symbolsTo: 0 };

/** The places of marks according to the headers of an ELF file and its size; anywhere in other files. */
export function markPlaces(head: Uint8Array, sizeBytes: number): MarkPlaces {
  const endFrom = Math.max(0, sizeBytes - endBytes);
  const segments = bigEndian.u32(head, 0) === elfMagic ? findSegments(head) : undefined;
  if (segments === undefined) return { ...anywhere, endFrom };
  const data = segments.filter(({ isExecutable }) => !isExecutable).map(rangeOf);
  const ends = segments.map((segment) => rangeOf(segment).to);
  return {
    data: data.sort((a, b) => a.from - b.from),
    rustFrom: Math.max(0, ...ends),
    symbolsTo: Math.min(maxSymbolsBytes, ...ends),
    endFrom,
  };
}

function rangeOf({ offset, sizeBytes }: Segment): FileRange {
  return { from: offset, to: offset + sizeBytes };
}

/** The loaded segments; undefined if there are none, or too many, or if `head` does not have all their headers. */
function findSegments(head: Uint8Array): readonly Segment[] | undefined {
  try {
    const elf = readElfHead(head);
    const { count } = elf.segments;
    return count === 0 || count > maxSegments ? undefined : readElfSegments(head, elf);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}
