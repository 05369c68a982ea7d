/**
 * The names of Java archives, most of which have artifact and version:
 *
 * ```
 * name    = [group "."] artifact ["-" version] ["-" classifier] "." extension    log4j-1.2-api-2.14.1.jar
 *         | symbolic-name "_" version "." extension                              org.eclipse.osgi_3.18.0.v20220516.jar
 * version = digit … {"-" (digit … | qualifier)}                                  1.0-beta-2, 31.1-jre
 * ```
 * Quarkus and sbt put the group before the artifact. Tomcat separates the version of an application by `##`: `shop##1.2.war`.
 */

import type { FileNames } from "../../plugins/plugins-by-name.ts";

/** The parts of a file's name. */
export interface ArchiveName {
  /** The name without the extension. */
  readonly stem: string;
  readonly artifact: string;
  /** Empty if the name has none. */
  readonly version: string;
}

const extensions = /\.(?:aar|ear|esa|hpi|jar|jpi|kar|lpkg|mar|nar|par|rar|sar|wab|war)$/i;
/** The names of Java archives. */
export const archiveNames = {
  endings: [
    ".aar",
    ".ear",
    ".esa",
    ".hpi",
    ".jar",
    ".jpi",
    ".kar",
    ".lpkg",
    ".mar",
    ".nar",
    ".par",
    ".rar",
    ".sar",
    ".wab",
    ".war",
  ],
} as const satisfies FileNames;
/** Extensions that only Java archives have. */
const ownExtensions = /\.(?:ear|hpi|jar|jpi|war)$/i;

/** Whether a file has the extension of a Java archive. */
export function isArchiveName(path: string): boolean {
  return extensions.test(path);
}

/** Whether a file has the extension of a Java archive that other kinds of files use too. */
export function isSharedExtension(path: string): boolean {
  return isArchiveName(path) && !ownExtensions.test(path);
}

/** Splits a file's name into its parts. */
export function parseArchiveName(path: string): ArchiveName {
  const [name = "", ofContext = ""] = path
    .slice(path.lastIndexOf("/") + 1)
    .replace(extensions, "")
    .split("##", 2);
  const parsed = parseStem(name);
  return parsed.version === "" && /^v?\d+\.\d/i.test(ofContext) ? { ...parsed, version: ofContext } : parsed;
}

function parseStem(name: string): ArchiveName {
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

/**
 * The index of a version's first word. `last` is the index of its last number; words before it belong to it if they are numbers or
 * qualifiers. A last number without a dot counts on from a number with two dots, whatever is between: `1.5.4.Final-format-001`. One that begins with zeros is no
 * version of its own, so that it counts on from a number with one dot, too: `2.0-format-001`.
 */
function versionStart(words: readonly string[], last: number): number {
  let from = last;
  for (let at = last - 1; at > 0; at--) {
    const word = words[at] ?? "";
    if (startsVersion(word)) from = at;
    else if (!qualifiers.test(word)) break;
  }
  const first = words[from] ?? "";
  const dots = /^0\d/.test(first) ? /^v?\d+\.\d/i : /^v?\d+\.\d+\./i;
  const dotted = words.findIndex((word, at) => at > 0 && dots.test(word));
  return dotted > 0 && dotted < from && /^\d+$/.test(first) ? dotted : from;
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
  /^(?:a|alpha|android|b|beta|build|cr|dev|final|ga|incubating|jre|jdk|m|milestone|pre|preview|r|rc|redhat|release|rev|rv|snapshot|sp|stable)\d*(?:[._][\w.]*)?$/i;

/** The names at the beginning of most groups. Inside a name, they may begin an artifact that is named like a bundle. */
export const topLevels: ReadonlySet<string> = new Set(["com", "io", "jakarta", "javax", "net", "org"]);

/** The largest number of words of a group that is considered. */
const maxWords = 16;

/**
 * The ways to split `GROUP.ARTIFACT`, the likeliest first: at the last dot that is not inside a number, and before a later word that begins
 * most groups or repeats the one before it, because an artifact may be named like a bundle: `jakarta.el.jakarta.el-api`, `org.osgi.osgi.core`. A group of one word is one that the artifact repeats:
 * `commons-io.commons-io`. Empty for other names.
 * @example
 * splitJoinedName("org.postgresql.postgresql"); // [{ group: "org.postgresql", artifact: "postgresql" }]
 */
export function splitJoinedName(name: string): readonly { readonly group: string; readonly artifact: string }[] {
  const words = name.split(/\.(?!\d)/);
  const [first = "", second = ""] = words;
  if (words.length === 2 && `${second}-`.startsWith(`${first}-`)) return [{ group: first, artifact: second }];
  if (words.length < 3 || words.length > maxWords || !/^[a-z]/i.test(name)) return [];
  const inside = words.flatMap((word, at) => (at > 1 && (topLevels.has(word) || word === words[at - 1]) ? [at] : []));
  const splits = new Set([words.length - 1, ...inside]);
  return [...splits].map((at) => ({ group: words.slice(0, at).join("."), artifact: words.slice(at).join(".") }));
}

/**
 * The ways to split `GROUP-ARTIFACT`, as Maven names the archives in an EAR: at each hyphen after a dot; a group without a dot is one that the artifact repeats:
 * `commons-io-commons-io`. Empty for other archives.
 * @see https://maven.apache.org/plugins/maven-ear-plugin/examples/customize-file-name-mapping.html
 */
export function splitNameInEar(
  path: string,
  artifact: string,
): readonly { readonly group: string; readonly artifact: string }[] {
  if (artifact.length > 200 || !/\.ear\/(?:[^/]+\/){0,9}[^/]+$/i.test(path)) return [];
  const words = artifact.split("-");
  const half = words.slice(0, words.length / 2).join("-");
  if (artifact === `${half}-${half}` && !half.includes(".")) return [{ group: half, artifact: half }];
  if (!/^[a-z]\w*\./i.test(artifact)) return [];
  return words.slice(1).flatMap((_, at) => {
    const group = words.slice(0, at + 1).join("-");
    return group.includes(".") ? [{ group, artifact: words.slice(at + 1).join("-") }] : [];
  });
}
