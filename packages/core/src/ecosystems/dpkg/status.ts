/**
 * The packages of a dpkg database: `var/lib/dpkg/status`, the files of `status.d` (Distroless: one package each, without
 * `Status`) and opkg's `status`.
 *
 * `Status: want flag state`; the state says whether the files of a package are there, whatever `want` is. Only `not-installed` and `config-files`
 * have none. A package whose scripts failed or were interrupted is `half-configured`, `unpacked` or waits for triggers, and its files may be used.
 *
 * @see https://manpages.debian.org/bookworm/dpkg/dpkg-query.1.en.html#db:Status-Abbrev
 */
import { type FileProblems, noProblems, noteProblem } from "../linux/file-problems.ts";
import { present } from "../linux/present.ts";
import { isPlain, ownWords, quoted } from "../linux/text.ts";
import { type Fields, parseDeb822, type Stanza } from "./deb822.ts";

/** One database for all packages, or a folder with one file for each installed package. */
export type StatusLayout = NonNullable<Parameters<typeof parseDpkgStatus>[1]>;

/** One package of a dpkg or opkg database. */
export interface DpkgPackage {
  readonly name: string;
  /** As written, even if dpkg would refuse it. */
  readonly version: string;
  readonly arch?: string;
  /** The source package; the package's own name if there is no `Source`. */
  readonly source: string;
  /** The version in `Source`; the package's own version if there is none. */
  readonly sourceVersion: string;
  readonly maintainer?: string;
  /** The maintainer in Debian of a package that another distribution has changed. */
  readonly originalMaintainer?: string;
  readonly homepage?: string;
  /** The first line of the description. */
  readonly synopsis?: string;
  /** `Pre-Depends` and `Depends`, as written. */
  readonly depends?: string;
  readonly recommends?: string;
  readonly provides?: string;
  readonly section?: string;
  /** Packaging tools of others write it. No package of Debian or Ubuntu has it. */
  readonly vendor?: string;
  /** As {@link DpkgPackage.vendor}. */
  readonly license?: string;
  /** First word of `Status`: `install`, `hold`, `deinstall`, `purge`, `unknown`. */
  readonly want?: string;
  /** Third word of `Status`: `installed`, `config-files`, `half-installed`, … */
  readonly status?: string;
  /** Whether its files are there, all or, of a `half-installed` one, some. */
  readonly installed: boolean;
}

/** The content of a status file. */
export interface DpkgStatus {
  /** `vcpkg`: a file of that tool, which has the same syntax; `unknown`: a file without any field. Neither has packages. */
  readonly format: "dpkg" | "vcpkg" | "unknown";
  /** In file order, including packages that are not installed. */
  readonly packages: readonly DpkgPackage[];
  /** Stanzas that were skipped. */
  readonly problems: FileProblems;
}

/**
 * Reads a status file. A stanza that cannot be read is left out and listed in `problems`.
 * @param layout `status.d`: the file is one of a folder with one file for each installed package
 * @throws ScanError `malformed_package_db` if the file is larger than any database
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, problems } = parseDpkgStatus(await readFile("/var/lib/dpkg/status"));
 */
export function parseDpkgStatus(bytes: Uint8Array, layout: "status" | "status.d" = "status"): DpkgStatus {
  const packages: DpkgPackage[] = [];
  const { format, problems } = readDpkgStatus(bytes, layout, (found) => packages.push(found));
  return { format, packages: format === "vcpkg" ? [] : packages, problems };
}

/**
 * Reads a status file package by package, without keeping them in memory. `onPackage` also gets the packages of a file of vcpkg, because the
 * format is known only at the end.
 */
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
  // dpkg lists packages that were never installed; they have no version, which is not a fault.
  const isNeverInstalled = stanza.kind === "stanza" && found.name !== "" && found.version === "" && !found.installed;
  if (!isNeverInstalled) noteProblem(problems, stanza.line, fault);
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
    installed: fields.has("status") ? status !== undefined && !withoutFiles.has(status) : layout === "status.d",
    ...present("arch", fields.get("architecture")),
    ...present("maintainer", fields.get("maintainer")),
    ...present("originalMaintainer", fields.get("original-maintainer")),
    ...present("homepage", fields.get("homepage")),
    ...present("depends", [fields.get("pre-depends") ?? [], fields.get("depends") ?? []].flat().join(", ")),
    ...present("recommends", fields.get("recommends")),
    ...present("provides", fields.get("provides")),
    ...present("synopsis", fields.get("description")?.split("\n", 1)[0]),
    ...present("section", fields.get("section")),
    ...present("vendor", fields.get("vendor")),
    ...present("license", fields.get("license")),
    ...present("want", want),
    ...present("status", status),
  };
}

/** The states of packages that are not there. */
const withoutFiles: ReadonlySet<string> = new Set(["", "not-installed", "config-files"]);

/** Parses `name` or `name (version)`; a missing part is empty. */
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
