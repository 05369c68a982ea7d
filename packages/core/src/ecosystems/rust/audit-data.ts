import { bytesAt } from "../../bytes/byte-order.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { inflateZlib } from "../../inflate/inflate-zlib.ts";
import { compileInflater, Inflater } from "../../inflate/inflater.ts";
import { parseJson } from "../../model/json.ts";
import { isObject } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { Program } from "../../programs/program.ts";

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
  return packages.flatMap((each: Json) => {
    const { name, version, kind, source } = isObject(each) ? each : {};
    if (typeof name !== "string" || typeof version !== "string") {
      throw malformedPackageDb(`${sectionName}: expected packages with name and version, found another`);
    }
    const isReleased = source !== "local" || version !== noRelease;
    return kind === "build" || !isReleased ? [] : { name, version };
  });
}
