import type { ByteParts } from "../../bytes/byte-parts.ts";
import { byteFinder, occurrencesIn } from "../../bytes/find-bytes.ts";
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
export function* findBuiltCrates(bytes: ByteParts): Generator<Crate> {
  const seen = new Set<string>();
  for (const at of occurrencesIn(folder, bytes)) {
    const text = latin1.decode(bytes.subarray(at, at + maxPathBytes));
    const [, name = "", version = ""] = source.exec(text) ?? [];
    if (name === "" || seen.has(`${name} ${version}`)) continue;
    seen.add(`${name} ${version}`);
    yield { name, version };
  }
}

const folder = byteFinder("registry");
const maxPathBytes = 256;
const source =
  /^registry[/\\]src[/\\][\w.-]{1,64}-[0-9a-f]{16}[/\\]([A-Za-z][\w-]{0,63}?)-(\d+\.\d+\.\d+(?:[-+][\w.+-]{1,40})?)[/\\]/;
const latin1 = new TextDecoder("latin1");
