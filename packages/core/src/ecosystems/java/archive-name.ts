/**
 * The names of Java archives, which mostly tell what is in them:
 *
 * ```
 * name    = artifact ["-" version] ["-" classifier] "." extension     log4j-1.2-api-2.14.1.jar
 *         | symbolic-name "_" version "." extension                   org.eclipse.osgi_3.18.0.v20220516.jar
 * version = digit … {"-" (digit … | qualifier)}                       1.0-beta-2, 31.1-jre
 * ```
 */

/** What a file's name tells. */
export interface ArchiveName {
  /** All of it but the extension. */
  readonly stem: string;
  readonly artifact: string;
  /** Empty where it tells none. */
  readonly version: string;
}

const extensions = /\.(?:ear|hpi|jar|jpi|kar|lpkg|nar|par|sar|war)$/i;
/** Extensions that nothing else has. */
const ownExtensions = /\.(?:ear|hpi|jar|jpi|war)$/i;

/** Whether a file is a Java archive by its name. */
export function isArchiveName(path: string): boolean {
  return extensions.test(path);
}

/** Whether files that are no archive have that name too. */
export function isSharedExtension(path: string): boolean {
  return !ownExtensions.test(path);
}

/** Takes a file's name apart. */
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

/** The first word of a version whose last number is at `last`: words before it that are numbers, or qualifiers behind one. */
function versionStart(words: readonly string[], last: number): number {
  let from = last;
  for (let at = last - 1; at > 0; at--) {
    const word = words[at] ?? "";
    if (startsVersion(word)) from = at;
    else if (!qualifiers.test(word)) break;
  }
  return from;
}

/** The end of a version whose last number is at `last`: behind the qualifiers that follow it. */
function versionEnd(words: readonly string[], last: number): number {
  let to = last + 1;
  while (to < words.length && qualifiers.test(words[to] ?? "")) to++;
  return to;
}

function startsVersion(word: string): boolean {
  return /^v?\d/i.test(word);
}

/** Words of versions; any other behind a version says of what kind the file is: `sources`, `linux-x86_64`. */
const qualifiers =
  /^(?:a|alpha|android|b|beta|build|cr|dev|final|ga|incubating|jre|jdk|m|milestone|pre|preview|r|rc|redhat|release|rev|rv|snapshot|sp)\d*(?:[._][\w.]*)?$/i;
