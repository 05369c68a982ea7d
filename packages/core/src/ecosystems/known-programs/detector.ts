import type { ByteParts } from "../../bytes/byte-parts.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isProgram, magicBytes } from "../../programs/is-program.ts";
import { provenPackage } from "../language/proof.ts";
import { findVersion } from "./find-version.ts";
import type { KnownProgram } from "./known-program.ts";
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
  revision: 1,
  names: { beginnings: [...byBeginning.keys()] },
  // a link has any name that its user likes: the program has its own
  wants: ({ path, kind, sizeBytes }: FileEntry) =>
    kind !== "symbolic-link" && candidatesFor(path).some((one) => isWanted(one, sizeBytes)),
  *detect(file: LayerFile): Iterable<Finding> {
    const bytes = file.parts ?? file.bytes;
    for (const { program, nameVersion } of candidatesFor(file.path)) {
      const version = isReadable(program, bytes) ? findVersion(bytes, program.marks, nameVersion) : undefined;
      if (version === undefined) continue;
      const found = provenPackage(file, { name: program.name, version });
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
