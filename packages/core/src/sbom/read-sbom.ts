import { normalizeStatedRelease } from "../distributions/shared/stated-release.ts";
import { ScanError } from "../errors.ts";
import { isObject, type JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { languageKey, unstatedKey } from "../model/package.ts";
import type { YieldToOthers } from "../model/slices.ts";
import { PackageCollector, type SbomReading } from "./collect.ts";
import { isCycloneDx, readCycloneDx } from "./cyclonedx.ts";
import { foreignForm } from "./foreign-forms.ts";
import { type ParsedSbom, parseSboms, withoutWrapping } from "./parse-sbom.ts";
import type { Sbom, SbomPackage, SbomProblem } from "./sbom.ts";
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
  const collector = new PackageCollector(reading);
  for (const entry of reading.entries) collector.add(entry);
  return collector.sbomOf(reading);
}

/** Limits for reading a document that is not trusted. */
interface SlicedReading {
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
  const collector = new PackageCollector(reading);
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
  if (reading === undefined) {
    const found = isObject(document) ? foreignForm(document) : undefined;
    throw new ScanError(
      "malformed_sbom",
      `${name}: expected CycloneDX, SPDX or Syft, found ${found ?? "something else"}`,
    );
  }
  const { distribution } = reading;
  return distribution === undefined ? reading : { ...reading, distribution: normalizeStatedRelease(distribution) };
}

function readForm(document: JsonObject): SbomReading | undefined {
  if (isCycloneDx(document)) return readCycloneDx(document);
  if (isSyft(document)) return readSyft(document);
  if (isSpdx3(document)) return readSpdx(spdx2Of(document), incompleteIn(document));
  return isSpdx(document) ? readSpdx(document) : undefined;
}

/** A bill of materials of a file, and the digests of what an attestation of it is about. */
interface SbomOfFile extends NamedSbom {
  readonly subjects: readonly string[];
}

/** How many subjects a message names. */
const mostNamed = 5;

/**
 * Those bills of materials of a file that are about the chosen subject, or all of them if none is chosen and all are about one.
 * @param name of the file
 * @param subject the digest of an image
 * @throws ScanError `malformed_sbom` if none is about the subject, or if they are about several
 */
function chooseSboms(
  sboms: readonly SbomOfFile[],
  { name, subject }: { readonly name: string; readonly subject: string | undefined },
): readonly SbomOfFile[] {
  if (subject !== undefined) {
    const chosen = sboms.filter(({ subjects }) => subjects.includes(subject));
    if (chosen.length > 0) return chosen;
    throw new ScanError("malformed_sbom", `${name}: expected an attestation about ${subject}, found ${named(sboms)}`);
  }
  if (sboms.length === 1 || haveOneSubject(sboms)) return sboms;
  const isAttested = sboms.some(({ subjects }) => subjects.length > 0);
  const hint = isAttested ? `: choose one with sbom:${name}@DIGEST` : ": give each its own file";
  throw new ScanError(
    "malformed_sbom",
    `${name}: expected bills of materials about one image, found ${sboms.length} about ${named(sboms)}${hint}`,
  );
}

/** Attestations state what they are about by digests. Documents alone only have a name of it. */
function haveOneSubject(sboms: readonly SbomOfFile[]): boolean {
  if (sboms.some(({ subjects }) => subjects.length > 0)) {
    const [first, ...others] = sboms.map(({ subjects }) => subjects);
    return first?.some((digest) => others.every((each) => each.includes(digest))) ?? false;
  }
  const names = new Set(sboms.map(nameOf));
  return names.size === 1 && !names.has("");
}

function nameOf({ sbom: { subject } }: SbomOfFile): string {
  return subject === undefined ? "" : `${subject.name}${subject.version === undefined ? "" : ` ${subject.version}`}`;
}

function named(sboms: readonly SbomOfFile[]): string {
  const all = [...new Set(sboms.map((each) => each.subjects[0] ?? (nameOf(each) || "a subject that is not stated")))];
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : "";
  return `${all.slice(0, mostNamed).join(", ")}${more}`;
}

/** A bill of materials, and its name among those of one subject. */
interface NamedSbom {
  /** For problems: `line 2`. */
  readonly name: string;
  readonly sbom: Sbom;
}

/**
 * One bill of materials with the packages of several about the same subject. A package that several of them list is there once: as the document has it
 * that states most facts about it, the first of equals. What any of them lacks by its own words, it lacks.
 */
function mergeSboms(named: readonly NamedSbom[]): Sbom {
  const sboms = named.map(({ sbom }) => sbom);
  const [subject] = sboms.flatMap((each) => each.subject ?? []);
  const [distribution] = sboms.flatMap((each) => each.distribution ?? []);
  const systems = sboms.flatMap((each) => each.systems ?? []);
  const gaps = sboms.flatMap((each) => each.gaps ?? []);
  return {
    format: sboms[0]?.format ?? "CycloneDX",
    subject,
    distribution,
    systems: systems.length > 0 ? systems : undefined,
    packages: mergePackages(sboms),
    problems: named.flatMap(problemsOf),
    gaps:
      gaps.length > 0
        ? {
            problems: gaps.flatMap(({ problems }) => problems),
            unassessed: gaps.flatMap(({ unassessed }) => unassessed),
          }
        : undefined,
  };
}

function mergePackages(sboms: readonly Sbom[]): readonly SbomPackage[] {
  const merged: SbomPackage[] = [];
  const places = new Map<string, number[]>();
  for (const { packages } of sboms) {
    const seen = new Map<string, number>(); // a document may list a package twice: for two places, or two owners
    for (const each of packages) {
      const identity = identityOf(each);
      const count = seen.get(identity) ?? 0;
      seen.set(identity, count + 1);
      const known = places.get(identity) ?? [];
      const place = known[count];
      if (place === undefined) places.set(identity, [...known, merged.push(each) - 1]);
      else if (unstatedIn(each) < unstatedIn(merged[place])) merged[place] = each;
    }
  }
  return merged;
}

/** The same for entries of several documents about one package, whatever else each of them states. */
function identityOf({ package: found, repositories, distribution, purl = "" }: SbomPackage): string {
  const language = repositories.find(({ key }) => key === languageKey)?.name;
  const type =
    language ?? (distribution === undefined ? (found.cpe ?? /^pkg:([^/]+)/.exec(purl)?.[1] ?? "") : "distribution");
  const version = found.version.replace(language === undefined ? /^\d+:/ : /^v(?=\d)/, "");
  return JSON.stringify([type, found.name, version, language === undefined ? (found.arch ?? "") : "", found.kind]);
}

function unstatedIn(entry: SbomPackage | undefined): number {
  return entry?.repositories.filter(({ key }) => key === unstatedKey).length ?? 0;
}

function problemsOf({ name, sbom }: NamedSbom): readonly SbomProblem[] {
  return sbom.problems.map(({ at, message }) => ({ at: at === "" ? name : `${name}: ${at}`, message }));
}
