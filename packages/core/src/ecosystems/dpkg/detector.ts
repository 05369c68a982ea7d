import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { FoundPackage } from "../../model/package.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { noteProblem, problemFindings } from "../linux/file-problems.ts";
import { nativeArch } from "../linux/native-arch.ts";
import { meetsIn, providedBy, type Relation } from "../linux/relations.ts";
import { type DpkgPackage, readDpkgStatus, type StatusLayout } from "./status.ts";
import { findThirdParty, namesDistribution } from "./third-party.ts";
import { compare, valid } from "./version.ts";

/**
 * Finds the installed packages of dpkg and opkg: one database, or one file per package in Distroless' `status.d`; both also in the
 * folder of another root.
 */
export const dpkgDetector: Detector = {
  name: "dpkg-status",
  revision: 6,
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
  return {
    kind: "package",
    packageDb,
    package: found.arch === undefined ? own : { ...own, arch: found.arch },
    details: detailsOf(found),
    thirdParty: findThirdParty(found),
    mayBeOfOthers: namesDistribution(found) ? undefined : true,
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

/** A relation of dpkg. */
interface DpkgRelation extends Relation {
  /** The architecture in `b:i386`; `any` of any. */
  readonly arch: string;
}

const relation = /^\s{0,9}([^\s:([<]{1,256})(?::([\w-]{1,64}))?\s{0,9}(?:\(\s{0,9}([<>=]{1,2})\s{0,9}([^\s)]{1,256}))?/;

/** `a (>= 1)`, `b:any [amd64]`; a single `<` or `>` is the old form of `<=` and `>=`. @see https://www.debian.org/doc/debian-policy/ch-relationships.html */
function parseRelation(text: string): DpkgRelation {
  const [, name = "", arch = "any", order = "", version = ""] = relation.exec(text) ?? [];
  return { name, arch, order: order.length === 1 ? `${order}=` : order, version };
}

/** The alternatives of a relation: `a (>= 1) | b`. */
function alternativesIn(text: string): readonly DpkgRelation[] {
  return text.split("|").map(parseRelation);
}

/** The root whose packages a database lists. */
function rootOf({ packageDb }: CoalescedPackage): string {
  return packageDb.slice(0, Math.max(0, packageDb.search(/(?:(?:var|usr)\/)?lib\/[do]pkg\//)));
}

/** Finds what packages of dpkg need, by their relations, in the same root, and of the same architecture first. */
export const dpkgDependencies: DependencyResolver = (packages, image) => {
  const { namesOf, provides } = providedBy({ parse: parseRelation, meets: meetsIn({ compare, valid }) });
  const native = nativeArch(packages) ?? "all"; // which packages for all architectures count as
  return dependenciesByName({
    namesIn: (text) => alternativesIn(text).flatMap(({ name }) => (name === "" ? [] : [name])),
    namesOf,
    accepts: (found, text, from) =>
      (found.packageDb === from.packageDb || rootOf(found) === rootOf(from)) &&
      alternativesIn(text).some(
        (each) => ["any", "native", found.package.arch].includes(each.arch) && provides(found, each),
      ),
    fits({ package: { arch = "all" } }, _, { package: { arch: own = "all" } }) {
      return arch === "all" || arch === (own === "all" ? native : own);
    },
  })(packages, image);
};
