/**
 * The main section of `META-INF/MANIFEST.MF`:
 *
 * ```
 * section   = {name ": " value line-end {" " more line-end}} blank-line
 * line-end  = "\r\n" | "\n" | "\r"
 * ```
 * @see https://docs.oracle.com/en/java/javase/21/docs/specs/jar/jar.html#jar-manifest
 */

/** Attributes of the main section, by their names in lower case. */
export type Manifest = ReadonlyMap<string, string>;

/** The bytes that are read. Manifests of signed archives are larger, but the main section comes first and is smaller. */
const headBytes = 1024 ** 2;

const utf8 = new TextDecoder();

/** Reads the main section; the first of equal names counts. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const attributes = new Map<string, string>();
  for (const line of unfolded(utf8.decode(bytes.subarray(0, headBytes)).split(/\r\n|\n|\r/))) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (name !== "" && !attributes.has(name)) attributes.set(name, line.slice(colon + 1).trim());
  }
  return attributes;
}

/** The lines up to the first blank one, each joined with its continuation lines. */
function* unfolded(lines: readonly string[]): Iterable<string> {
  let parts: string[] = [];
  for (const line of lines) {
    if (line.startsWith(" ")) {
      parts.push(line.slice(1));
      continue;
    }
    yield parts.join("");
    if (line === "") return;
    parts = [line];
  }
  yield parts.join("");
}
