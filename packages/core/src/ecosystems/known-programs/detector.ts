import type { ByteParts } from "../../bytes/byte-parts.ts";
import { contentOf } from "../../bytes/byte-parts.ts";
import { byteFinder } from "../../bytes/find-bytes.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isProgram, magicBytes } from "../../programs/is-program.ts";
import { asFile, provenPackage } from "../language/proof.ts";
import type { KnownProgram, VersionMark } from "./known-program.ts";
import { programTable } from "./table.ts";

const withoutVersion = /^(?:\.exe)?$/;
const maxTextBytes = 1024 ** 2;

/** The rows by the beginnings of their file names. */
const byBeginning: ReadonlyMap<string, readonly KnownProgram[]> = Map.groupBy(
  programTable.flatMap((program) => program.files.map((beginning) => ({ beginning, program }))),
  ({ beginning }) => beginning,
)
  .entries()
  .reduce(
    (map, [beginning, rows]) =>
      map.set(
        beginning,
        rows.map(({ program }) => program),
      ),
    new Map(),
  );

/** Finds well-known programs by the texts in them, at any path. */
export const knownProgramDetector: FileDetector = {
  name: "known-programs",
  revision: 2,
  names: { beginnings: [...byBeginning.keys()] },
  // a link has any name that its user likes: the program has its own
  wants: ({ path, kind, sizeBytes }: FileEntry) =>
    kind !== "symbolic-link" && candidatesFor(path).some((one) => isWanted(one, sizeBytes)),
  *detect(file: LayerFile, options?: DetectOptions): Iterable<Finding> {
    const bytes = contentOf(file);
    for (const { program, nameVersion } of candidatesFor(file.path)) {
      const version = isReadable(program, bytes) ? findVersion(bytes, program.marks, nameVersion) : undefined;
      if (version === undefined) continue;
      const found = asFile(provenPackage(file, { name: program.name, version }), "program", options);
      if (found.kind !== "package") yield found;
      else yield { ...found, package: { ...found.package, cpe: cpeOf(program, version) } };
      return;
    }
  },
};

/** A row that matches the name of a file, and the version in that name. */
interface Candidate {
  readonly program: KnownProgram;
  readonly nameVersion: string;
}

function candidatesFor(path: string): readonly Candidate[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const beginning = /^[a-z]+(?:-[a-z]+)*/.exec(name)?.[0] ?? "";
  return (byBeginning.get(beginning) ?? []).flatMap((program) => {
    const rest = (program.rest ?? withoutVersion).exec(name.slice(beginning.length));
    return rest === null ? [] : [{ program, nameVersion: rest[1] ?? "" }];
  });
}

function isWanted({ program }: Candidate, sizeBytes: number): boolean {
  return program.content !== "text" || sizeBytes <= maxTextBytes;
}

function isReadable({ content }: KnownProgram, bytes: ByteParts): boolean {
  return content === "text" ? bytes.length <= maxTextBytes : isProgram(bytes.subarray(0, magicBytes));
}

/** The forms of versions with updates in the dictionary of CPE names: OpenSSH `9.2p1` is `9.2:p1`, Java `1.8.0_392` is `8:update392`. */
const updates: readonly (readonly [RegExp, string])[] = [
  [/^(\d+\.\d+)(p\d+)$/, "$1:$2"],
  [/^1\.(\d+)\.0_(\d+)$/, "$1:update$2"],
];

function cpeOf({ cpe }: KnownProgram, version: string): string {
  const found = updates.find(([form]) => form.test(version));
  const written = found === undefined ? version.replace(/[^\w.-]/g, "\\$&") : version.replace(...found);
  return parseCpe(`cpe:2.3:a:${cpe}:${written}`);
}

/** Bytes that are searched at once. */
const windowBytes = 1024 ** 2;

/** Bytes that are read before and after a mark. No mark is longer. */
const contextBytes = 96;

/** Bytes of the previous window that are searched again, so that each mark is in some window with all of its context. */
const overlapBytes = 3 * contextBytes;

/** A text that occurs more often is ignored. Limits the work for a hostile file. */
const maxHits = 100_000;

/**
 * The version in a file, by the first mark of the first window that has one; undefined if there is none. At most one window is in memory,
 * and the time is proportional to the size of the file.
 * @param nameVersion the version in the file's name, which replaces `{name}` in marks
 */
function findVersion(bytes: ByteParts, marks: readonly VersionMark[], nameVersion = ""): string | undefined {
  const searches = marks.map((mark) => searchFor(mark, nameVersion));
  for (let start = 0; start < bytes.length; start += windowBytes) {
    const from = Math.max(0, start - overlapBytes);
    const end = Math.min(bytes.length, start + windowBytes);
    const window = { bytes: bytes.subarray(from, end), isFirst: from === 0, isLast: end === bytes.length };
    for (const search of searches) {
      const version = search(window);
      if (version !== undefined) return version;
    }
  }
  return undefined;
}

/** A part of a file. */
interface Window {
  readonly bytes: Uint8Array;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A search for a mark, to be called with one window after the other. */
function searchFor({ text, begins = "", before, after }: VersionMark, nameVersion: string) {
  const finder = byteFinder(text.replaceAll("{name}", nameVersion));
  const begun = begins.replaceAll("{name}", nameVersion);
  let leftHits = maxHits;
  return ({ bytes, isFirst, isLast }: Window): string | undefined => {
    for (let at = finder.find(bytes); at >= 0; at = finder.find(bytes, at + 1)) {
      if (leftHits-- <= 0) return undefined;
      const [from, end] = [at - contextBytes, at + finder.length];
      const isWhole = (isFirst || from >= 0) && (isLast || end + contextBytes <= bytes.length);
      const behind = isWhole ? (after ?? empty).exec(textOf(bytes, end, end + contextBytes)) : null;
      const ahead = behind === null ? null : (before ?? empty).exec(textOf(bytes, from, at));
      if (ahead !== null) return `${begun}${behind?.[1] ?? ahead[1] ?? ""}`;
    }
    return undefined;
  };
}

/** Matches every text. */
const empty = /(?:)/;

/** The bytes as text, one character per byte. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(Math.max(0, start), end));
}
