import type { ByteParts } from "../../bytes/byte-parts.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import type { FileDetector, FileInfo, Finding, LayerFile } from "../../plugins.ts";
import { isProgram, magicBytes } from "../../programs/is-program.ts";
import { provenPackage } from "../language/proof.ts";
import { findVersion } from "./find-version.ts";
import type { KnownProgram } from "./known-program.ts";
import { programTable } from "./table.ts";

const withoutVersion = /^(?:\.exe)?$/;
const maxTextBytes = 1024 ** 2;

/** The rows by what the names of their files begin with. */
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

/** Finds programs that are known by the texts in them, wherever they lie. A name alone proves nothing. */
export const knownProgramDetector: FileDetector = {
  name: "known-programs",
  revision: 1,
  wants: ({ path, sizeBytes }: FileInfo) => candidatesFor(path).some((one) => isWanted(one, sizeBytes)),
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

/** A row whose files have such a name. */
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

/** `1.1.1n` as it is; of OpenSSH's `9.2p1`, what the dictionary of CPE names calls an update stands behind the version. */
function cpeOf({ cpe }: KnownProgram, version: string): string {
  const [, release = version, update = ""] = /^(\d+\.\d+)(p\d+)$/.exec(version) ?? [];
  return parseCpe(
    `cpe:2.3:a:${cpe}:${[release, update]
      .filter((part) => part !== "")
      .map(quote)
      .join(":")}`,
  );
}

function quote(text: string): string {
  return text.replace(/[^\w.-]/g, "\\$&");
}
