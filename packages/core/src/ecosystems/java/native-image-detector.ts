import { bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import { type ByteParts, contentOf } from "../../bytes/byte-parts.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { GzipMembers } from "../../inflate/gunzip.ts";
import { compileInflater, Inflater } from "../../inflate/inflater.ts";
import { languageKey } from "../../model/package.ts";
import type { FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { nameIn, type Program } from "../../programs/program.ts";
import { readPrograms } from "../../programs/read-programs.ts";
import { readSbom } from "../../sbom/read-sbom.ts";
import { provenPackage } from "../language/proof.ts";

/** Bytes of the bill of materials, packed and unpacked. */
const maxSbomBytes = 64 * 1024 ** 2;
/** Bytes of the table of symbols, and of their names. */
const maxSymbolsBytes = 16 * 1024 ** 2;
/** A symbol of a program of 64 bits: u32 place of the name, u8 kind, u8 visibility, u16 section, u64 address, u64 size. */
const symbolBytes = 24;

/**
 * Finds the packages of a program that GraalVM has compiled from Java (a native image), by the bill of materials in it: a CycloneDX document in gzip at
 * the address of the symbol `sbom`, with its length at that of `sbom_length`. A program without one is evidence of packages that were not read.
 * @see https://www.graalvm.org/latest/security-guide/native-image/sbom/
 */
export const nativeImageDetector: FileDetector = {
  name: "native-image-sbom",
  revision: 1,
  names: {},
  wants: () => false,
  programs: "native-image",
  *detect(file: LayerFile): Iterable<Finding> {
    const [program] = readPrograms(contentOf(file));
    const document = program && embeddedSbom(program);
    if (document === undefined) {
      yield { kind: "evidence", path: file.path, packages: "java", pieces: 1 };
      return;
    }
    for (const { package: found, repositories } of readSbom(document, file.path).packages) {
      const isOfMaven = repositories.some(({ key, name }) => key === languageKey && name === "maven");
      if (isOfMaven) yield provenPackage(file, { name: found.name, version: found.version });
    }
  },
};

/** The unpacked document; undefined if the program has none. */
function embeddedSbom(program: Program): Uint8Array | undefined {
  const addresses = addressesOf(program, ["sbom", "sbom_length"]);
  const [at, lengthAt] = [addresses.get("sbom"), addresses.get("sbom_length")];
  if (at === undefined || lengthAt === undefined) return undefined;
  const length = littleEndian.u64(bytesAt(program.bytes, offsetOf(program, lengthAt), 8), 0);
  if (length > maxSbomBytes) throw tooLarge(length);
  return unpack(bytesAt(program.bytes, offsetOf(program, at), length));
}

/** The addresses of the symbols with these names that other programs may use. GraalVM compiles for processors of 64 bits, little-endian. */
function addressesOf(program: Program, wanted: readonly string[]): ReadonlyMap<string, number> {
  const [symbols, names] = [".dynsym", ".dynstr"].map((name) => sectionNamed(program, name));
  const found = new Map<string, number>();
  if (symbols === undefined || names === undefined) return found;
  const { u32, u64 } = littleEndian;
  for (let at = 0; at + symbolBytes <= symbols.length && found.size < wanted.length; at += symbolBytes) {
    const nameAt = u32(symbols, at);
    const name = names[nameAt] === firstLetter ? nameIn(names, nameAt) : "";
    if (wanted.includes(name)) found.set(name, u64(symbols, at + 8));
  }
  return found;
}

/** The first letter of the names of all wanted symbols: other names are not decoded. */
const firstLetter = 0x73;

function sectionNamed({ bytes, sections }: Program, wanted: string): Uint8Array | undefined {
  const section = sections.find(({ name }) => name === wanted);
  return section && bytesAt(bytes, section.offset, Math.min(section.sizeBytes, maxSymbolsBytes));
}

/** The place in the file of an address in memory. */
function offsetOf({ segments, bytes }: Program, address: number): number {
  const segment = segments.find((each) => address >= each.address && address < each.address + each.sizeBytes);
  return segment === undefined ? bytes.length : segment.offset + (address - segment.address);
}

function unpack(packed: ReturnType<ByteParts["subarray"]>): Uint8Array {
  const inflater = new Inflater(compileInflater());
  inflater.reset();
  const members = new GzipMembers(inflater, (output, previous) => inflater.crc32(output, previous));
  const parts: Uint8Array[] = [];
  let length = 0;
  const keep = (unpacked: Iterable<Uint8Array>) => {
    for (const part of unpacked) {
      length += part.length;
      if (length > maxSbomBytes) throw tooLarge(length);
      parts.push(part.slice()); // the decoder reuses its memory
    }
  };
  for (let at = 0; at < packed.length && !members.isDone; ) {
    at += inflater.add(packed, at);
    keep(members.decode());
  }
  inflater.endInput();
  keep(members.decode());
  members.end();
  return concatBytes(parts);
}

function tooLarge(length: number): Error {
  return malformedPackageDb(`expected a bill of materials of at most ${maxSbomBytes} bytes, found ${length}`);
}
