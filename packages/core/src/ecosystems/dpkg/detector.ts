import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { FoundPackage } from "../../model/package.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage } from "../../plugins/coalescer.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { noteProblem, problemFindings } from "../linux/file-problems.ts";
import { type DpkgPackage, readDpkgStatus, type StatusLayout } from "./status.ts";
import { findThirdParty, namesDistribution } from "./third-party.ts";
import { compare, valid } from "./version.ts";

/**
 * Finds the installed packages of dpkg and opkg: one database, or one file per package in Distroless' `status.d`; both also in the
 * folder of another root.
 */
export const dpkgDetector: Detector = {
  name: "dpkg-status",
  revision: 5,
  wants: ({ path }: FileEntry) => findLayout(path) !== undefined,
  *detect(files: LayerFiles) {
    for (const file of distinctFiles(files)) yield* readDatabase(file);
  },
};

/** A file in the folder of Distroless, also in the folder of another root. */
const packageFile = /(?:^|\/)var\/lib\/dpkg\/status\.d\/[^/]+$/;
const sideFiles = [
  ...[
    ".conffiles",
    ".config",
    ".list",
    ".md5sums",
    ".postinst",
    ".postrm",
    ".preinst",
    ".prerm",
    ".shlibs",
    ".symbols",
  ],
  ...[".templates", ".triggers"],
];
/** The paths of databases below `/`, `/usr` and `/var`. */
export const databases = ["lib/dpkg/status", "lib/opkg/status"];
/** Folders in which a database is only an example. */
const exampleFolders = /(?:^|\/)(?:doc|fixtures|testdata)\//;

function findLayout(path: string): StatusLayout | undefined {
  if (!path.includes("/status")) return undefined; // nearly no file, and every file is asked
  if (packageFile.test(path)) {
    const isOther = sideFiles.some((suffix) => path.endsWith(suffix)) || exampleFolders.test(path);
    return isOther ? undefined : "status.d";
  }
  if (!path.endsWith("/status")) return undefined;
  const known = databases.some((database) => path === database || path.endsWith(`/${database}`));
  return known && !exampleFolders.test(path) ? "status" : undefined;
}

function* readDatabase(file: LayerFile): Iterable<Finding> {
  const { path, bytes } = file;
  const layout = findLayout(path) ?? "status";
  const installed = new Map<string, DpkgPackage>(); // the same name, version and architecture counts once
  let packages = 0;
  let hasStatus = false;
  const { format, problems } = readDpkgStatus(bytes, layout, (found) => {
    packages++;
    hasStatus ||= found.want !== undefined;
    if (found.installed) installed.set(`${found.name}\0${found.arch ?? ""}\0${found.version}`, found);
  });
  if (format === "vcpkg") {
    yield { kind: "evidence", path, packages: "cpp", pieces: 1 };
    return;
  }
  if (format === "unknown" && layout === "status.d") return;
  yield { kind: "database", path };
  for (const found of installed.values()) yield findingOf(found, path);
  if (layout === "status" && packages > 0 && !hasStatus) {
    noteProblem(problems, 0, `expected a Status of every package, found none for ${packages}`);
  }
  yield* problemFindings(path, "malformed_package_db", problems);
}

function findingOf(found: DpkgPackage, packageDb: string): Finding {
  const source: FoundPackage = { name: found.source, version: found.sourceVersion, kind: "SOURCE" };
  const own: FoundPackage = { name: found.name, version: found.version, kind: "BINARY", source };
  const thirdParty = findThirdParty(found);
  return {
    kind: "package",
    packageDb,
    package: found.arch === undefined ? own : { ...own, arch: found.arch },
    details: detailsOf(found),
    thirdParty,
    mayBeOfOthers: thirdParty === undefined && !namesDistribution(found) ? true : undefined,
  };
}

/** The licence of a package of Debian is in another file; tools of others write it here. */
function detailsOf(found: DpkgPackage): PackageDetails | undefined {
  const { license = "", maintainer, originalMaintainer, homepage, synopsis, depends, recommends, provides } = found;
  return packageDetails({
    licenses: [{ text: license }],
    supplier: maintainer,
    originator: originalMaintainer,
    homepage,
    description: synopsis,
    requires: itemsIn(depends),
    recommends: itemsIn(recommends),
    provides: itemsIn(provides),
  });
}

function itemsIn(relation = ""): readonly string[] {
  return relation.split(",");
}

/** The alternatives of a relation: `a (>= 1) | b:any [amd64]`. @see https://www.debian.org/doc/debian-policy/ch-relationships.html */
function namesIn(relation: string): readonly string[] {
  return relation.split("|").flatMap((each) => /^[^\s:([<]+/.exec(each.trim()) ?? []);
}

/** Whether a package has the version that a relation asks for, of its own name or of what it provides. */
function fits({ package: { name, version }, details }: CoalescedPackage, relation: string): boolean {
  const provided = (details?.provides ?? []).map((each) => [namesIn(each)[0], boundIn(each)[1]] as const);
  return relation.split("|").some((each) => {
    const [wanted] = namesIn(each);
    const [order, bound = ""] = boundIn(each);
    const versions = [[name, version] as const, ...provided].flatMap(([own, has]) => (own === wanted ? [has] : []));
    return versions.some((has) => bound === "" || (has !== undefined && stands(has, order, bound)));
  });
}

/** `>=` and `2.36` of `libc6 (>= 2.36)`. */
function boundIn(text: string): readonly [order: string, version?: string] {
  const [, inner = ""] = text.split(/[()]/, 2);
  const order = inner.trim().replace(/[^<=>].*$/s, "");
  return [order, order === "" ? undefined : inner.trim().slice(order.length).trim()];
}

/** Whether a relation of versions holds. A single `<` or `>` is the old form of `<=` and `>=`. */
function stands(version: string, relation: string, bound: string): boolean {
  if (!valid(version) || !valid(bound)) return true;
  const order = compare(version, bound);
  if (relation === "=") return order === 0;
  if (relation === "<<" || relation === ">>") return relation === "<<" ? order < 0 : order > 0;
  return relation.startsWith("<") ? order <= 0 : order >= 0;
}

/** The root whose packages a database lists. */
function rootOf({ packageDb }: CoalescedPackage): string {
  return packageDb.slice(0, Math.max(0, packageDb.search(/(?:(?:var|usr)\/)?lib\/[do]pkg\//)));
}

/** Finds what packages of dpkg need, by their relations, in the same root. */
export const dpkgDependencies = dependenciesByName({
  namesIn,
  namesOf: ({ package: { name }, details }) => [name, ...(details?.provides ?? []).flatMap(namesIn)],
  accepts: (found, _, from) => found.packageDb === from.packageDb || rootOf(found) === rootOf(from),
  fits,
});
