import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import type { Program, ProgramPart } from "../../programs/program.ts";
import { type BuildStrings, readBuildStrings } from "./build-strings.ts";
import { findMarks } from "./find-marks.ts";

/** What the linker writes into a program. */
export interface BuildInfo {
  /** As it names itself: `go1.22.1`. */
  readonly toolchain: string;
  /** The lines that `modules.ts` reads; empty where the program was built without modules. */
  readonly modules: string;
}

/** The section that newer linkers have for it: of ELF, of Mach-O. */
const sectionNames: ReadonlySet<string> = new Set([".go.buildinfo", "__go_buildinfo"]);
/** Bytes before and behind the lines, by which they are found in memory. */
const frameBytes = 16;
const lineFeed = 0x0a;
const decoder = new TextDecoder();

/**
 * The build information of a Go program. It is in a section of its own, else in data that are written to, else in data.
 * @throws ScanError `malformed_package_db` where there is none that can be read
 * @see https://github.com/golang/go/blob/go1.26.0/src/debug/buildinfo/buildinfo.go
 */
export function readBuildInfo(program: Program): BuildInfo {
  let damage: ScanError | undefined;
  for (const offset of findMarks(program.bytes, partsOf(program))) {
    try {
      const found = decodeInfo(readBuildStrings(program, offset));
      if (/^(?:go\d|devel)/.test(found.toolchain)) return found;
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      damage ??= error;
    }
  }
  throw damage ?? malformedPackageDb("expected Go's build information in the data of a program, found none");
}

function partsOf({ sections, segments }: Program): readonly ProgramPart[] {
  const data = segments.filter(({ isExecutable }) => !isExecutable);
  return [
    ...sections.filter(({ name }) => sectionNames.has(name)),
    ...data.filter(({ isWritable }) => isWritable),
    ...data.filter(({ isWritable }) => !isWritable),
  ];
}

function decodeInfo({ toolchain, modules }: BuildStrings): BuildInfo {
  const isFramed = modules.length > 2 * frameBytes && modules[modules.length - frameBytes - 1] === lineFeed;
  const lines = isFramed ? modules.subarray(frameBytes, -frameBytes) : new Uint8Array(0);
  return { toolchain: decoder.decode(toolchain), modules: decoder.decode(lines) };
}
