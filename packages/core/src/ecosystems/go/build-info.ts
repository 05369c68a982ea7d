import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import type { Program, ProgramPart } from "../../programs/program.ts";
import { type BuildStrings, readBuildStrings } from "./build-strings.ts";
import { findMarks } from "./find-marks.ts";

/** The build information that the linker writes into a program. */
export interface BuildInfo {
  /** The toolchain's name and version: `go1.22.1`. */
  readonly toolchain: string;
  /** The lines that `modules.ts` reads; empty if the program was built without modules. */
  readonly modules: string;
}

/** The section of build information that newer linkers write, in ELF and in Mach-O. */
const sectionNames: ReadonlySet<string> = new Set([".go.buildinfo", "__go_buildinfo"]);
/** The length of the marks before and after the lines, by which Go finds them in memory. */
const frameBytes = 16;
const lineFeed = 0x0a;
const decoder = new TextDecoder();

/**
 * Reads the build information of a Go program. It is searched in its own section, then in writable data, then in other data.
 * @throws ScanError `malformed_package_db` if there is none, or none that can be read
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
