import { bigEndian, byteAt, bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { Program } from "../../programs/program.ts";

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
export interface BuildStrings {
  readonly toolchain: Uint8Array;
  readonly modules: Uint8Array;
}

/** Reads the build information whose mark is at an offset. @throws ScanError `malformed_package_db` */
export function readBuildStrings(program: Program, offset: number): BuildStrings {
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
