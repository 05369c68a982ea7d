import { bigEndian, bytesAt } from "../../bytes/byte-order.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { compileInflater, Inflater } from "../../inflate/inflater.ts";
import { parseJson } from "../../model/json.ts";
import { isObject, type JsonObject } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { Program } from "../../programs/program.ts";
import { inflateChunks } from "../../zip/inflate-entry.ts";

/**
 * The list that cargo-auditable writes into a program, as JSON in a zlib stream in a separate section:
 *
 *     { packages: [{ name, version, source?, kind?: "build" | "runtime", dependencies?, root? }] }
 *
 * @see https://github.com/rust-secure-code/cargo-auditable/blob/master/cargo-auditable.schema.json
 */
const sectionName = ".dep-v0";

/** The limit that the format recommends. No program has nearly as many packages. */
const maxBytes = 8 * 1024 ** 2;

/** The version of parts of a program that are not published. */
const noRelease = "0.0.0";

/** A package of a program. */
export interface Crate {
  readonly name: string;
  readonly version: string;
  /** `name version` of the packages that it needs at run time. */
  readonly requires?: readonly string[];
  /** Whether it is the program itself. */
  readonly isRoot?: boolean;
}

/**
 * Reads the packages of a Rust program; undefined if it has no list. Packages that were needed only for the build are left out, and parts
 * of the program itself that have no release.
 * @throws ScanError `malformed_package_db` or `malformed_archive`
 */
export function readAuditData({ bytes, sections }: Program): readonly Crate[] | undefined {
  const section = sections.find(({ name }) => name === sectionName);
  if (section === undefined) return undefined;
  if (section.sizeBytes > maxBytes) {
    throw malformedPackageDb(`${sectionName}: expected at most ${maxBytes} bytes, found ${section.sizeBytes}`);
  }
  const stream = bytesAt(bytes, section.offset, section.sizeBytes);
  const content = inflateZlib(new Inflater(compileInflater()), stream, { maxBytes, at: sectionName });
  return cratesIn(parseJson(content, sectionName, "malformed_package_db"));
}

function cratesIn(data: Json): readonly Crate[] {
  const packages = isObject(data) ? data.packages : undefined;
  if (!Array.isArray(packages)) throw malformedPackageDb(`${sectionName}: expected a list of packages, found none`);
  const crateAt = (index: Json) => {
    const { name, version, kind } = (typeof index === "number" && objectAt(packages, index)) || {};
    return typeof name === "string" && typeof version === "string" && kind !== "build" ? [`${name} ${version}`] : [];
  };
  return packages.flatMap((each: Json) => {
    const { name, version, kind, source, dependencies, root } = isObject(each) ? each : {};
    if (typeof name !== "string" || typeof version !== "string") {
      throw malformedPackageDb(`${sectionName}: expected packages with name and version, found another`);
    }
    const isReleased = source !== "local" || version !== noRelease;
    const requires = Array.isArray(dependencies) ? dependencies.flatMap(crateAt) : [];
    return kind === "build" || !isReleased ? [] : { name, version, requires, isRoot: root === true };
  });
}

function objectAt(list: readonly Json[], index: number): JsonObject | undefined {
  const found = list[index];
  return isObject(found) ? found : undefined;
}

/** The size limit of a content, and its name for messages. */
interface ZlibContent {
  readonly maxBytes: number;
  readonly at: string;
}

/**
 * Decompresses a zlib stream: `u8 method (low 4 bits: 8), u8 flags (0x20: dictionary), DEFLATE stream, u32 checksum`. The first two
 * bytes, as a big-endian number, are a multiple of 31. The checksum is not compared: the file comes from a layer whose digest is checked.
 * @throws ScanError `malformed_package_db` or `malformed_archive` where it is damaged or has more than `maxBytes`
 * @see https://www.rfc-editor.org/rfc/rfc1950
 */
function inflateZlib(inflater: Inflater, stream: Uint8Array, { maxBytes, at }: ZlibContent): Uint8Array {
  const head = bigEndian.u16(bytesAt(stream, 0, 2), 0);
  const isZlib = ((head >>> 8) & 0xf) === 8 && head % 31 === 0 && (head & 0x20) === 0;
  if (!isZlib) throw malformedPackageDb(`${at}: expected a zlib stream, found something else`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const chunk of inflateChunks(inflater, [stream.subarray(2)], at)) {
    length += chunk.length;
    if (length > maxBytes) throw malformedPackageDb(`${at}: expected at most ${maxBytes} bytes, found more`);
    chunks.push(chunk.slice()); // the inflater reuses the chunk's memory
  }
  return concatBytes(chunks);
}
