/**
 * The names of Java archives, most of which have artifact and version:
 *
 * ```
 * name    = artifact ["-" version] ["-" classifier] "." extension     log4j-1.2-api-2.14.1.jar
 *         | symbolic-name "_" version "." extension                   org.eclipse.osgi_3.18.0.v20220516.jar
 * version = digit … {"-" (digit … | qualifier)}                       1.0-beta-2, 31.1-jre
 * ```
 */

/** The parts of a file's name. */
export interface ArchiveName {
  /** The name without the extension. */
  readonly stem: string;
  readonly artifact: string;
  /** Empty if the name has none. */
  readonly version: string;
}

const extensions = /\.(?:ear|hpi|jar|jpi|kar|lpkg|nar|par|sar|war)$/i;
/** Extensions that only Java archives have. */
const ownExtensions = /\.(?:ear|hpi|jar|jpi|war)$/i;

/** Whether a file has the extension of a Java archive. */
export function isArchiveName(path: string): boolean {
  return extensions.test(path);
}

/** Whether other kinds of files use the same extension. */
export function isSharedExtension(path: string): boolean {
  return !ownExtensions.test(path);
}

/** Splits a file's name into its parts. */
export function parseArchiveName(path: string): ArchiveName {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(extensions, "");
  const underscore = name.indexOf("_");
  const bundle = name.slice(0, Math.max(0, underscore));
  const bundleVersion = name.slice(underscore + 1);
  if (bundle.includes(".") && /^\d+\.\d+\.\d/.test(bundleVersion)) {
    return { stem: name, artifact: bundle, version: bundleVersion };
  }
  const words = name.split("-");
  const last = words.findLastIndex((word, at) => at > 0 && startsVersion(word));
  if (last < 0) return { stem: name, artifact: name, version: "" };
  const from = versionStart(words, last);
  const to = versionEnd(words, last);
  return { stem: name, artifact: words.slice(0, from).join("-"), version: words.slice(from, to).join("-") };
}

/** The index of a version's first word. `last` is the index of its last number; words before it belong to it if they are numbers or qualifiers. */
function versionStart(words: readonly string[], last: number): number {
  let from = last;
  for (let at = last - 1; at > 0; at--) {
    const word = words[at] ?? "";
    if (startsVersion(word)) from = at;
    else if (!qualifiers.test(word)) break;
  }
  return from;
}

/** The index after a version's last word. `last` is the index of its last number, which qualifiers may follow. */
function versionEnd(words: readonly string[], last: number): number {
  let to = last + 1;
  while (to < words.length && qualifiers.test(words[to] ?? "")) to++;
  return to;
}

function startsVersion(word: string): boolean {
  return /^v?\d/i.test(word);
}

/** Words that belong to a version. Any other word after a version is a classifier: `sources`, `linux-x86_64`. */
const qualifiers =
  /^(?:a|alpha|android|b|beta|build|cr|dev|final|ga|incubating|jre|jdk|m|milestone|pre|preview|r|rc|redhat|release|rev|rv|snapshot|sp)\d*(?:[._][\w.]*)?$/i;
