/**
 * The programs that .NET publishes as a single file: a host, and after it the files of the application.
 *
 * ```
 * host    = … header-offset:8 signature:32 …                    header-offset 0: no files
 * header  = major:4 minor:4 files:4 id:text [deps-offset:8 deps-size:8 config-offset:8 config-size:8 flags:8] {entry}
 * entry   = offset:8 size:8 [compressed-size:8] type:1 path:text
 * text    = length:7-bit-groups bytes
 * ```
 * Numbers are little-endian. The part about `deps.json` exists from major 2, compressed sizes from major 6.
 * @see https://github.com/dotnet/runtime/blob/v8.0.0/src/native/corehost/bundle/header.h
 */

import { bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import { contentOf } from "../../bytes/byte-parts.ts";
import { occurrencesIn } from "../../bytes/find-bytes.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { bundleMark } from "../../programs/build-marks.ts";
import { provenPackage } from "../language/proof.ts";
import { hasReferences, librariesOf, readDepsJson } from "./deps-json.ts";

const maxDepsBytes = 64 * 1024 ** 2;
/** Majors of .NET Core 3 to .NET 10, and some to come. */
const maxMajor = 20;
const maxFiles = 100_000;
const depsJson = 3;

/** Finds the packages in the `deps.json` of a program that is a single file. One without it is evidence of packages that are not known. */
export const bundleDetector: FileDetector = {
  name: "dotnet-bundle",
  revision: 3,
  names: {},
  wants: () => false,
  programs: "dotnet",
  *detect(file: LayerFile): Iterable<Finding> {
    const { path } = file;
    const parts = contentOf(file);
    const header = findHeader(parts);
    if (header === undefined) return; // a host without files: those of the application are beside it
    const deps = depsOf(parts, header);
    if (deps === undefined) {
      yield { kind: "evidence", path, packages: "dotnet", pieces: 1 };
      return;
    }
    if (deps.length > maxDepsBytes) throw malformedPackageDb(`expected deps.json of at most ${maxDepsBytes} bytes`);
    const bytes = bytesAt(parts, deps.offset, deps.length);
    const document = readDepsJson({ path, contentPath: file.contentPath, mode: file.mode, bytes });
    for (const { requires, ...library } of librariesOf(document))
      yield provenPackage(file, { ...library, details: { requires } });
    if (hasReferences(document)) yield { kind: "evidence", path, packages: "dotnet", pieces: 1 }; // their files are in the program
  },
};

/** Where something is in a file. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The offset of the header, if any signature has a valid one before it: libraries that make such programs have the signature too. */
function findHeader(bytes: ByteParts): number | undefined {
  for (const at of occurrencesIn(bundleMark, bytes)) {
    if (at < 8) continue;
    const offset = littleEndian.u64(bytes.subarray(at - 8, at), 0);
    if (offset === 0 || offset + 12 > bytes.length) continue;
    const head = bytes.subarray(offset, offset + 12);
    const [major, files] = [littleEndian.u32(head, 0), littleEndian.u32(head, 8)];
    if (major >= 1 && major <= maxMajor && files >= 1 && files <= maxFiles) return offset;
  }
  return undefined;
}

/** The place of `deps.json`; undefined if there is none. @throws ScanError `malformed_package_db` */
function depsOf(bytes: ByteParts, offset: number): Place | undefined {
  const major = littleEndian.u32(bytesAt(bytes, offset, 4), 0);
  const files = littleEndian.u32(bytesAt(bytes, offset + 8, 4), 0);
  const next = offset + 12 + textBytes(bytes, offset + 12);
  if (major === 1) return findEntry(bytes, next, files);
  const fields = bytesAt(bytes, next, 16);
  const [at, length] = [littleEndian.u64(fields, 0), littleEndian.u64(fields, 8)];
  return length === 0 ? undefined : { offset: at, length };
}

/** Finds `deps.json` in the entries of .NET Core 3, which does not compress them. */
function findEntry(bytes: ByteParts, start: number, files: number): Place | undefined {
  let at = start;
  for (let index = 0; index < files; index++) {
    const entry = bytesAt(bytes, at, 17);
    if (entry[16] === depsJson) return { offset: littleEndian.u64(entry, 0), length: littleEndian.u64(entry, 8) };
    at += 17 + textBytes(bytes, at + 17);
  }
  return undefined;
}

/** The bytes of a text with its length, of which no path needs more than two groups. */
function textBytes(bytes: ByteParts, at: number): number {
  const [first = 0, second = 0] = bytesAt(bytes, at, 2);
  return first < 0x80 ? 1 + first : 2 + (first & 0x7f) + ((second & 0x7f) << 7);
}
