import { bigEndian, byteAt, bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import { goAlignment, goMark } from "../../programs/build-marks.ts";
import type { Program, ProgramPart } from "../../programs/program.ts";

/** The build information that the linker writes into a program. */
interface BuildInfo {
  /** The toolchain's name and version: `go1.22.1`. */
  readonly toolchain: string;
  /** The lines that `modules.ts` reads; empty if the program was built without modules. */
  readonly modules: string;
}

/** The section of build information that newer linkers write, in ELF and in Mach-O. */
const sectionNames: ReadonlySet<string> = new Set([".go.buildinfo", "__go_buildinfo"]);

/** The length of the marks before and after the lines, by which Go finds them in memory. */
const frameBytes = 16;
const lineFeed = 0x0a;
const decoder = new TextDecoder();

/**
 * Reads the build information of a Go program. It is searched in its own section, then in writable data, then in other data. Undefined if there is none.
 * @throws ScanError `malformed_package_db` if it cannot be read
 * @see https://github.com/golang/go/blob/go1.26.0/src/debug/buildinfo/buildinfo.go
 */
export function readBuildInfo(program: Program): BuildInfo | undefined {
  let damage: ScanError | undefined;
  for (const offset of findMarks(program.bytes, partsOf(program))) {
    try {
      const found = decodeInfo(readBuildStrings(program, offset));
      if (/^(?:go\d|devel)/.test(found.toolchain)) return found;
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      damage ??= error;
    }
  }
  if (damage !== undefined) throw damage;
  return undefined;
}

function partsOf({ sections, segments }: Program): readonly ProgramPart[] {
  const data = segments.filter(({ isExecutable }) => !isExecutable);
  return [
    ...sections.filter(({ name }) => sectionNames.has(name)),
    ...data.filter(({ isWritable }) => isWritable),
    ...data.filter(({ isWritable }) => !isWritable),
  ];
}

function decodeInfo({ toolchain, modules }: BuildStrings): BuildInfo {
  const isFramed = modules.length > 2 * frameBytes && modules[modules.length - frameBytes - 1] === lineFeed;
  const lines = isFramed ? modules.subarray(frameBytes, -frameBytes) : new Uint8Array(0);
  return { toolchain: decoder.decode(toolchain), modules: decoder.decode(lines) };
}

/** Bytes that are read at once. */
const windowBytes = 1024 ** 2;

/** A program has one mark; a hostile file may have many. */
const maxMarks = 16;

/**
 * The offsets of marks of Go's build information in parts of a file. If parts overlap, at most twice the size of the file is searched.
 */
function* findMarks(bytes: ByteParts, parts: readonly ProgramPart[]): Generator<number> {
  let leftBytes = 2 * bytes.length;
  let leftMarks = maxMarks;
  for (const { offset, sizeBytes } of parts) {
    const end = Math.min(offset + sizeBytes, bytes.length);
    for (let start = aligned(offset); start < end; start += windowBytes) {
      const window = bytes.subarray(start, Math.min(start + windowBytes, end));
      leftBytes -= window.length;
      for (const at of marksIn(window)) {
        yield start + at;
        if (--leftMarks === 0) return;
      }
      if (leftBytes <= 0) return;
    }
  }
}

function* marksIn(window: Uint8Array): Generator<number> {
  for (let at = 0; at + goMark.length <= window.length; at += goAlignment) {
    if (window[at] === goMark[0] && goMark.every((byte, index) => window[at + index] === byte)) yield at;
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / goAlignment) * goAlignment;
}

/**
 * Go's build information, at an offset that is a multiple of 16 in the data of a program:
 *
 * ```text
 * header = 0xff " Go buildinf:" u8 bytes of a pointer, u8 flags (1: big-endian, 2: texts follow), 16 bytes
 * since Go 1.18: header, then toolchain and modules, each as length (LEB128) and text
 * before:        header, whose 16 bytes begin with the addresses of the toolchain and of the modules; each address leads to
 *                address and length of the text
 * ```
 */
const headerBytes = 32;
const pointersAt = 16;
const [isBigEndian, isInline] = [1, 2];

/** Far more than any list of modules has. */
const maxTextBytes = 4 * 1024 ** 2;

/** Enough bytes to encode {@link maxTextBytes}. */
const maxLengthBytes = 4;

/** The two texts of build information. */
interface BuildStrings {
  readonly toolchain: Uint8Array;
  readonly modules: Uint8Array;
}

/** Reads the build information whose mark is at an offset. @throws ScanError `malformed_package_db` */
function readBuildStrings(program: Program, offset: number): BuildStrings {
  const header = bytesAt(program.bytes, offset, headerBytes);
  if ((byteAt(header, 15) & isInline) === 0) return readByPointers(program, header);
  const toolchain = readText(program.bytes, offset + headerBytes);
  const modules = readText(program.bytes, toolchain.end);
  return { toolchain: toolchain.text, modules: modules.text };
}

function readText(bytes: ByteParts, offset: number): { readonly text: Uint8Array; readonly end: number } {
  const head = bytes.subarray(offset, offset + maxLengthBytes);
  let length = 0;
  for (let at = 0; at < maxLengthBytes; at++) {
    const byte = byteAt(head, at);
    length |= (byte & 0x7f) << (7 * at);
    if (byte >= 0x80) continue;
    const start = offset + at + 1;
    return { text: bytesAt(bytes, start, checked(length)), end: start + length };
  }
  throw malformedPackageDb("Go build information: expected the length of a string, found none below 256 MiB");
}

function readByPointers(program: Program, header: Uint8Array): BuildStrings {
  const pointerBytes = byteAt(header, 14);
  if (pointerBytes !== 4 && pointerBytes !== 8) {
    throw malformedPackageDb(`Go build information: expected pointers of 4 or 8 bytes, found ${pointerBytes}`);
  }
  const order = (byteAt(header, 15) & isBigEndian) === 0 ? littleEndian : bigEndian;
  const word = pointerBytes === 8 ? order.u64 : order.u32;
  const textAt = (place: number): Uint8Array => {
    const address = word(header, pointersAt + place * pointerBytes);
    if (address === 0) return new Uint8Array(0);
    const text = bytesInMemory(program, address, 2 * pointerBytes);
    const length = checked(word(text, pointerBytes));
    return length === 0 ? new Uint8Array(0) : bytesInMemory(program, word(text, 0), length);
  };
  return { toolchain: textAt(0), modules: textAt(1) };
}

/** The bytes at an address of the loaded program. */
function bytesInMemory({ bytes, segments }: Program, address: number, length: number): Uint8Array {
  const segment = segments.find((each) => each.address <= address && address + length <= each.address + each.sizeBytes);
  if (segment !== undefined) return bytesAt(bytes, segment.offset + address - segment.address, length);
  throw malformedPackageDb(`Go build information: expected ${length} bytes at address ${address}, found nothing there`);
}

function checked(length: number): number {
  if (length <= maxTextBytes) return length;
  throw malformedPackageDb(`Go build information: expected at most ${maxTextBytes} bytes of text, found ${length}`);
}
