/**
 * The packages of a dpkg database: `var/lib/dpkg/status`, the files of `status.d` (Distroless: one package each, without
 * `Status`) and opkg's `status`.
 *
 * `Status: want flag state`; a package is there when the state is `installed`, whatever is wanted: `hold ok installed` is
 * installed, `deinstall ok config-files` is not.
 *
 * @see https://manpages.debian.org/bookworm/dpkg/dpkg-query.1.en.html#db:Status-Abbrev
 */
import { type FileProblems, noProblems, noteProblem } from "../linux/file-problems.ts";
import { present } from "../linux/present.ts";
import { isPlain, ownWords, quoted } from "../linux/text.ts";
import { type Fields, parseDeb822, type Stanza } from "./deb822.ts";

/** One database for all packages, or a folder with one file per package, where being there means being installed. */
export type StatusLayout = "status" | "status.d";

/** One package of a dpkg or opkg database. */
export interface DpkgPackage {
  readonly name: string;
  /** As written, even where dpkg would refuse it. */
  readonly version: string;
  readonly arch?: string;
  /** What the package was built from: its own name and version unless `Source` says otherwise. */
  readonly source: string;
  readonly sourceVersion: string;
  readonly maintainer?: string;
  readonly section?: string;
  /** First word of `Status`: `install`, `hold`, `deinstall`, `purge`, `unknown`. */
  readonly want?: string;
  /** Third word of `Status`: `installed`, `config-files`, `half-installed`, … */
  readonly status?: string;
  readonly installed: boolean;
}

/** The content of a status file. */
export interface DpkgStatus {
  /** `vcpkg`: a file of that tool, of the same syntax; `unknown`: not a single field in it. Neither has packages. */
  readonly format: "dpkg" | "vcpkg" | "unknown";
  /** In file order; those not installed as well. */
  readonly packages: readonly DpkgPackage[];
  /** Stanzas that were skipped. */
  readonly problems: FileProblems;
}

/**
 * Reads a status file. What cannot be read is left out and listed in `problems`.
 * @throws ScanError `malformed_package_db` when the file is larger than any database
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, problems } = parseDpkgStatus(await readFile("/var/lib/dpkg/status"));
 */
export function parseDpkgStatus(bytes: Uint8Array, layout: StatusLayout = "status"): DpkgStatus {
  const packages: DpkgPackage[] = [];
  const { format, problems } = readDpkgStatus(bytes, layout, (found) => packages.push(found));
  return { format, packages: format === "vcpkg" ? [] : packages, problems };
}

/** The same, telling the packages one by one: none is in memory any more unless who is told keeps it. Those of vcpkg are told too. */
export function readDpkgStatus(
  bytes: Uint8Array,
  layout: StatusLayout,
  onPackage: (found: DpkgPackage) => void,
): Omit<DpkgStatus, "packages"> {
  const problems = noProblems();
  const marks = new Set<string>();
  let anyField = false;
  for (const stanza of parseDeb822(bytes)) {
    anyField ||= stanza.fields.size > 0;
    for (const mark of formatMarks) if (stanza.fields.has(mark)) marks.add(mark);
    const found = readStanza(stanza, layout, problems);
    if (found !== undefined) onPackage(ownWords(found));
  }
  if (isVcpkg(marks)) return { format: "vcpkg", problems: noProblems() };
  return { format: anyField ? "dpkg" : "unknown", problems };
}

/** Fields of vcpkg, and one of dpkg that vcpkg does not know. */
const vcpkgMarks = ["port-version", "default-features", "feature"];
const dpkgMark = "installed-size";
const formatMarks = [...vcpkgMarks, dpkgMark];

function isVcpkg(marks: ReadonlySet<string>): boolean {
  return !marks.has(dpkgMark) && vcpkgMarks.some((mark) => marks.has(mark));
}

function readStanza(stanza: Stanza, layout: StatusLayout, problems: FileProblems): DpkgPackage | undefined {
  const found = packageOf(stanza.fields, layout);
  const fault = stanza.kind === "malformed" ? stanza.message : findFault(found);
  if (fault === undefined) return found;
  // dpkg remembers packages that were never there: they have no version, and that is no fault.
  const remembered = stanza.kind === "stanza" && found.name !== "" && found.version === "" && !found.installed;
  if (!remembered) noteProblem(problems, stanza.line, fault);
  return undefined;
}

function packageOf(fields: Fields, layout: StatusLayout): DpkgPackage {
  const name = fields.get("package") ?? "";
  const version = fields.get("version") ?? "";
  const source = parseSource(fields.get("source") ?? "");
  const [want, , status] = (fields.get("status") ?? "").toLowerCase().split(/\s+/, 3);
  return {
    name,
    version,
    source: source.name || name,
    sourceVersion: source.version || version,
    installed: fields.has("status") ? status === "installed" : layout === "status.d",
    ...present("arch", fields.get("architecture")),
    ...present("maintainer", fields.get("maintainer")),
    ...present("section", fields.get("section")),
    ...present("want", want),
    ...present("status", status),
  };
}

/** `name` or `name (version)`; what is missing is empty. */
function parseSource(text: string): { readonly name: string; readonly version: string } {
  const [name = ""] = text.split(/[\s(]/, 1);
  const open = text.indexOf("(");
  const close = text.indexOf(")", open);
  return { name, version: open < 0 ? "" : text.slice(open + 1, close < 0 ? text.length : close).trim() };
}

function findFault(found: DpkgPackage): string | undefined {
  if (found.name === "") return "expected a stanza with Package, found none";
  if (found.version === "") return `expected a Version of ${quoted(found.name)}, found none`;
  const words = [found.name, found.version, found.source, found.sourceVersion, found.arch ?? ""];
  const odd = words.find((word) => !isPlain(word));
  return odd === undefined ? undefined : `expected one short line, found ${quoted(odd)}`;
}
