import { bigEndian } from "../bytes/byte-order.ts";
import { ScanError } from "../errors.ts";
import { elfMagic, readElfHead, readElfSegments } from "../programs/elf-head.ts";
import type { Segment } from "../programs/program.ts";

/** Every part of the file is compared with the places of each. */
const maxSegments = 256;

/** Bytes of a file, by their offsets. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/** Where the marks of {@link findBuildMark} may stand in an executable. */
export interface MarkPlaces {
  /** Build information of Go: data that are loaded. In file order. */
  readonly go: readonly FileRange[];
  /** Names of sections, which are not loaded: from this byte on. */
  readonly rustFrom: number;
}

const anywhere: MarkPlaces = { go: [{ from: 0, to: Number.POSITIVE_INFINITY }], rustFrom: 0 };

/** Where marks may stand, as far as the beginning of an ELF file says; anywhere in other files. */
export function markPlaces(head: Uint8Array): MarkPlaces {
  if (bigEndian.u32(head, 0) !== elfMagic) return anywhere;
  const segments = findSegments(head);
  if (segments === undefined) return anywhere;
  const go = segments.filter(({ isExecutable }) => !isExecutable).map(rangeOf);
  const ends = segments.map((segment) => rangeOf(segment).to);
  return { go: go.sort((a, b) => a.from - b.from), rustFrom: Math.max(0, ...ends) };
}

function rangeOf({ offset, sizeBytes }: Segment): FileRange {
  return { from: offset, to: offset + sizeBytes };
}

/** Undefined where the beginning does not have them all, or says that there are none. */
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
