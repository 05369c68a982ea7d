import { normalizeStatedRelease } from "../distributions/shared/stated-release.ts";
import { ScanError } from "../errors.ts";
import { isObject, type JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { YieldToOthers } from "../model/slices.ts";
import { chooseSboms } from "./choose-sboms.ts";
import { PackageCollector, type SbomReading } from "./collect.ts";
import { isCycloneDx, readCycloneDx } from "./cyclonedx.ts";
import { mergeSboms } from "./merge-sboms.ts";
import { type ParsedSbom, parseSboms, withoutWrapping } from "./parse-sbom.ts";
import type { Sbom } from "./sbom.ts";
import { isSpdx, readSpdx } from "./spdx.ts";
import { incompleteIn, isSpdx3, spdx2Of } from "./spdx3.ts";
import { isSyft, readSyft } from "./syft.ts";

/** The largest document that is read, in bytes; the largest known have a tenth of it. */
const maxBytes = 256 * 1024 ** 2;

/**
 * Reads the packages of a bill of materials, recognized by content: CycloneDX in JSON or XML, SPDX 2 in JSON or as tags and values, SPDX 3 in
 * JSON-LD, or Syft's own form. It may be in an in-toto attestation, or in what GitHub's API answers. A file may have several about one image, in a
 * list or one a line: the result has the packages of all.
 *
 * @param name of the document, for messages
 * @param options.subject the digest of an image: only attestations about it are read
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, distribution } = readSbom(await readFile("app.cdx.json"), "app.cdx.json");
 * @throws ScanError `malformed_sbom` if it is none of them, or has several that are about different images; an entry that cannot be read is a problem in the result
 */
export function readSbom(
  bytes: Uint8Array,
  name: string,
  { subject }: { readonly subject?: string | undefined } = {},
): Sbom {
  const read = parseBounded(bytes, name).map(({ document, name: place, subjects }) => {
    return { name: place.slice(name.length + 2), sbom: readDocument(document, place), subjects };
  });
  const chosen = chooseSboms(read, { name, subject });
  const [only] = chosen;
  return only !== undefined && chosen.length === 1 ? only.sbom : mergeSboms(chosen);
}

function readDocument(document: NonNullable<Json>, name: string): Sbom {
  const reading = beginSbom(document, name);
  const collector = new PackageCollector(reading.distribution);
  for (const entry of reading.entries) collector.add(entry);
  return collector.sbomOf(reading);
}

/** Limits for reading a document that is not trusted. */
export interface SlicedReading {
  /** The number of entries that are read at most; the others are left out. */
  readonly mostEntries: number;
  /** Awaited after each entry. */
  readonly yieldToOthers: YieldToOthers;
}

/**
 * Reads the packages of a parsed bill of materials as {@link readSbom} does, but yields the thread after each entry.
 * @returns the bill of materials, and the number of entries that were left out
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * const document = JSON.parse('{ "bomFormat": "CycloneDX", "specVersion": "1.6", "components": [] }');
 * const slices = { mostEntries: 20_000, yieldToOthers: () => setImmediate() };
 * const { sbom, leftOut } = await readSbomInSlices(document, "app.cdx.json", slices);
 * @throws ScanError `malformed_sbom` as {@link readSbom}
 */
export async function readSbomInSlices(
  document: NonNullable<Json>,
  name: string,
  { mostEntries, yieldToOthers }: SlicedReading,
): Promise<{ readonly sbom: Sbom; readonly leftOut: number }> {
  const reading = beginSbom(document, name);
  const collector = new PackageCollector(reading.distribution);
  let seen = 0;
  for (const entry of reading.entries) {
    if (seen++ < mostEntries) collector.add(entry);
    await yieldToOthers();
  }
  return { sbom: collector.sbomOf(reading), leftOut: Math.max(0, seen - mostEntries) };
}

function parseBounded(bytes: Uint8Array, name: string): readonly ParsedSbom[] {
  if (bytes.length > maxBytes) {
    throw new ScanError("malformed_sbom", `${name}: expected at most ${maxBytes} bytes, found ${bytes.length}`);
  }
  return parseSboms(bytes, name);
}

function beginSbom(document: NonNullable<Json>, name: string): SbomReading {
  const reading = isObject(document) ? readForm(withoutWrapping(document)) : undefined;
  if (reading === undefined)
    throw new ScanError("malformed_sbom", `${name}: expected CycloneDX, SPDX or Syft, found something else`);
  const { distribution } = reading;
  return distribution === undefined ? reading : { ...reading, distribution: normalizeStatedRelease(distribution) };
}

function readForm(document: JsonObject): SbomReading | undefined {
  if (isCycloneDx(document)) return readCycloneDx(document);
  if (isSyft(document)) return readSyft(document);
  if (isSpdx3(document)) return readSpdx(spdx2Of(document), incompleteIn(document));
  return isSpdx(document) ? readSpdx(document) : undefined;
}
