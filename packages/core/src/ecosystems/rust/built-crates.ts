import { type ByteParts, partOf } from "../../bytes/byte-parts.ts";
import { byteFinder, occurrencesIn } from "../../bytes/find-bytes.ts";
import { rustcMark } from "../../programs/build-marks.ts";
import type { Program } from "../../programs/program.ts";
import type { Crate } from "./audit-data.ts";

/**
 * The crates whose paths a program of Rust has in the texts of panics. It has those of crates that may panic, so these are not all. A path is that of the sources in
 * the cache of Cargo:
 *
 * ```
 * path = "…/registry/src/" index "-" hash "/" name "-" version "/" …        …/registry/src/index.example-6f17d22bba15001f/tokio-1.35.1/src/…
 * ```
 * @see https://doc.rust-lang.org/cargo/guide/cargo-home.html#directories
 */
export function* findBuiltCrates(programs: readonly Program[]): Generator<Crate> {
  const seen = new Set<string>(); // the slices of a Mach-O file mostly have the same crates
  for (const texts of programs.flatMap((program) => partsNamed(program, constants))) {
    for (const at of occurrencesIn(folder, texts)) {
      const text = latin1.decode(texts.subarray(at, at + maxPathBytes));
      const [, name = "", version = ""] = source.exec(text) ?? [];
      if (name === "" || seen.has(`${name} ${version}`)) continue;
      seen.add(`${name} ${version}`);
      yield { name, version };
    }
  }
}

/**
 * Whether the compiler of Rust has left its mark in a program: in the section for what compilers say of themselves, or, if the linker kept only what others say there,
 * in the data for debuggers.
 */
export function isBuiltByRustc(program: Program): boolean {
  return [partsNamed(program, comments), [program.bytes]].some((parts) =>
    parts.some((part) => occurrencesIn(rustcMark, part).next().done !== true),
  );
}

/** The parts with one of these names. Where there are none, the whole program: a large one costs much to search, so that this is the exception. */
function partsNamed({ bytes, sections }: Program, names: ReadonlySet<string>): readonly ByteParts[] {
  const named = sections.filter(({ name }) => names.has(name));
  return named.length === 0 ? [bytes] : named.map(({ offset, sizeBytes }) => partOf(bytes, offset, sizeBytes));
}

/** Sections for what compilers say of themselves: that of ELF. */
const comments = new Set([".comment"]);
/** Sections of constants: that of ELF, of PE, and of Mach-O. */
const constants = new Set([".rodata", ".rdata", "__const"]);
const folder = byteFinder("registry");
const maxPathBytes = 256;
const source =
  /^registry[/\\]src[/\\][\w.-]{1,64}-[0-9a-f]{16}[/\\]([A-Za-z][\w-]{0,63}?)-(\d+\.\d+\.\d+(?:[-+][\w.+-]{1,40})?)[/\\]/;
const latin1 = new TextDecoder("latin1");
