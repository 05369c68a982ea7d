/**
 * The installed packages of apk: `lib/apk/db/installed`.
 *
 * ```
 * database = {stanza blank-line}          the last blank line may be missing
 * stanza   = {letter ":" value line-end}  letters are case-sensitive
 * ```
 * `P` name, `V` version, `A` architecture, `o` origin (the source), `c` commit of aports, `C` checksum, `L` licence, `m`
 * maintainer, `U` home page, `T` description, `D` dependencies, `p` provided names, `s` tag of its repository, `F` a folder, `R` a file in the last folder. Other letters are
 * left out. abuild states the origin of every package, the main one included, and apk knows no other origin for a package without it.
 * `I` is the size of the files; without any it is a meta package, such as those of `apk add --virtual`, whose names may begin with a dot.
 *
 * @see https://wiki.alpinelinux.org/wiki/Apk_spec
 * @see https://gitlab.alpinelinux.org/alpine/apk-tools/-/blob/master/doc/apk-package.5.scd (origin, installed-size)
 * @see https://gitlab.alpinelinux.org/alpine/abuild/-/blob/master/abuild.in (prepare_metafiles)
 */
import { decodeBase64 } from "../../bytes/base64.ts";
import { joinPath } from "../../layer/paths.ts";
import type { FileLists, ListedFiles } from "../../plugins/detector.ts";
import { hexOf } from "../../xz/checks.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { type FileProblems, noProblems, noteProblem } from "../linux/file-problems.ts";
import { isBlankLine, type LineCursor, lineText, nextLine, openPieces } from "../linux/lines.ts";
import { present } from "../linux/present.ts";
import { decodeParagraphs, isPlain, ownText, ownWords, quoted } from "../linux/text.ts";

/** One installed package. */
export interface ApkPackage {
  readonly name: string;
  readonly version: string;
  readonly arch?: string;
  /** The source package, of the same version; absent if the database does not state it. A package that contains nothing is its own source. */
  readonly origin?: string;
  readonly commit?: string;
  /** `Q1`, then a SHA-1 digest in base64. */
  readonly checksum?: string;
  readonly license?: string;
  readonly maintainer?: string;
  readonly url?: string;
  /** The tag of the repository that it was installed from, if that has one in `etc/apk/repositories`. */
  readonly tag?: string;
  readonly description?: string;
  readonly depends: readonly string[];
  readonly provides: readonly string[];
  /** Paths of the files it owns, without leading slash. */
  readonly files: readonly string[];
}

/** The content of the database. */
export interface ApkInstalled {
  /** In file order. */
  readonly packages: readonly ApkPackage[];
  /** Stanzas that were skipped. */
  readonly problems: FileProblems;
}

/**
 * Reads the database. A stanza that cannot be read is left out and listed in `problems`.
 * @throws ScanError `malformed_package_db` when the file is larger than any database
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, problems } = parseApkInstalled(await readFile("lib/apk/db/installed"));
 */
export function parseApkInstalled(bytes: Uint8Array): ApkInstalled {
  const packages: ApkPackage[] = [];
  const problems = readApkInstalled(bytes, (found) => packages.push(ownWords(found)));
  return { packages, problems };
}

/**
 * Reads the database package by package, and returns the stanzas that were skipped. Only a part of the text is in memory at a time:
 * a callback that keeps a text of a package must copy it (`ownText`).
 */
export function readApkInstalled(bytes: Uint8Array, onPackage: (found: ApkPackage) => void): FileProblems {
  const problems = noProblems();
  for (const cursor of openPieces(decodeParagraphs(bytes))) {
    while (nextLine(cursor)) {
      if (isBlankLine(cursor)) continue;
      const { line } = cursor;
      const stanza = readStanza(cursor);
      const found = packageOf(stanza);
      const fault = stanza.fault ?? findFault(found);
      if (fault === undefined) onPackage(found);
      else noteProblem(problems, line, fault);
    }
  }
  return problems;
}

interface ApkStanza {
  /** The values of the letters that occur once. */
  readonly values: Map<string, string>;
  readonly files: string[];
  fault?: string;
}

/** Reads from the stanza's first line to the blank line after it. */
function readStanza(cursor: LineCursor): ApkStanza {
  const stanza: ApkStanza = { values: new Map(), files: [] };
  let folder = "";
  do {
    const { text, start, end } = cursor;
    const letter = text[start] ?? "";
    if (text[start + 1] !== ":" || end < start + 2)
      stanza.fault ??= `expected "X:value", found ${quoted(lineText(cursor))}`;
    else if (letter === "F") folder = text.slice(start + 2, end);
    else if (letter === "R") stanza.files.push(joinPath(folder, text.slice(start + 2, end)));
    else if (wantedLetters.has(letter)) addValue(stanza, letter, text.slice(start + 2, end).trim());
  } while (nextLine(cursor) && !isBlankLine(cursor));
  return stanza;
}

const wantedLetters: ReadonlySet<string> = new Set("PVAoIcCLmUTDps");

function addValue(stanza: ApkStanza, letter: string, value: string): void {
  if (stanza.values.has(letter)) stanza.fault ??= `expected one line ${letter}:, found another with ${quoted(value)}`;
  stanza.values.set(letter, value);
}

function packageOf({ values, files }: ApkStanza): ApkPackage {
  const name = values.get("P") ?? "";
  return {
    name,
    version: values.get("V") ?? "",
    ...present("origin", values.get("o") || (isMeta(name, values.get("I")) ? name : undefined)),
    ...present("arch", values.get("A")),
    ...present("commit", values.get("c")),
    ...present("checksum", values.get("C")),
    ...present("license", values.get("L")),
    ...present("maintainer", values.get("m")),
    ...present("url", values.get("U")),
    ...present("tag", values.get("s")),
    ...present("description", values.get("T")),
    depends: wordsOf(values.get("D")),
    provides: wordsOf(values.get("p")),
    files,
  };
}

function isMeta(name: string, size: string | undefined): boolean {
  return size === "0" || name.startsWith(".");
}

function wordsOf(text = ""): string[] {
  return text.split(" ").filter((word) => word !== "");
}

function findFault({ name, version, origin = "", arch = "" }: ApkPackage): string | undefined {
  if (name === "") return "expected a stanza with P, found none";
  if (version === "") return `expected V of ${quoted(name)}, found none`;
  const odd = [name, version, origin, arch].find((word) => !isPlain(word));
  return odd === undefined ? undefined : `expected a short word, found ${quoted(odd)}`;
}

/** The files of packages of apk with the digests of their contents, from the lines `R` and `Z`. */
export const apkFileLists: FileLists = {
  name: "apk-file-lists",
  revision: 1,
  names: { endings: ["/installed"] },
  wants: ({ path }) => path === "lib/apk/db/installed" || path === "usr/lib/apk/db/installed",
  *lists(files) {
    for (const { path: listedIn, bytes } of distinctFiles(files)) {
      for (const text of decodeParagraphs(bytes)) {
        for (const stanza of text.split("\n\n")) yield { listedIn, databaseIn: listedIn, ...filesOfStanza(stanza) };
      }
    }
  },
};

function filesOfStanza(stanza: string): Pick<ListedFiles, "owner" | "version" | "arch" | "files" | "digests"> {
  const [files, digests]: [string[], string[]] = [[], []];
  const named = new Map<string, string>();
  let [folder, mode] = ["", ""]; // the mode of a link, of which the digest is that of its target's name
  for (const line of stanza.split("\n")) {
    const [letter = "", value] = [line[0], line.slice(2)];
    if (letter === "F") folder = value;
    else if (letter === "R") {
      files.push(ownText(joinPath(folder, value)));
      digests.push("");
      mode = "";
    } else if (letter === "a") mode = value.slice(value.lastIndexOf(":") + 1);
    else if (letter === "Z" && digests.length > 0)
      digests[digests.length - 1] = mode === "777" ? "" : digestOfFile(value);
    else if ("PVA".includes(letter)) named.set(letter, ownText(value.trim()));
  }
  return { owner: named.get("P") ?? "", version: named.get("V"), arch: named.get("A"), files, digests };
}

/** `Q1` and a SHA-1 digest in base64, or `Q2` and a SHA-256 digest. @see https://wiki.alpinelinux.org/wiki/Apk_spec */
function digestOfFile(text: string): string {
  const bytes = decodeBase64(text.slice(2));
  const name = { Q1: "sha1", Q2: "sha256" }[text.slice(0, 2)];
  if (bytes === undefined || name === undefined || bytes.length !== (name === "sha1" ? 20 : 32)) return "";
  return `${name}:${hexOf(bytes)}`;
}
