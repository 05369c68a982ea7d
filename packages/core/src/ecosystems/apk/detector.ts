import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { FoundPackage } from "../../model/package.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { DependencyResolver } from "../../plugins/coalescer.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { apkTagKey } from "../linux/detector.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { problemFindings } from "../linux/file-problems.ts";
import { meetsIn, providedBy, type Relation } from "../linux/relations.ts";
import { ownText, ownWords } from "../linux/text.ts";
import { parseMaintainer, vendorOfMaintainer } from "../linux/vendors.ts";
import { type ApkPackage, readApkInstalled } from "./installed-db.ts";
import { compare, valid } from "./version.ts";

/** The second place is for systems that moved `/lib` to `/usr/lib`. */
const databases: ReadonlySet<string> = new Set(["lib/apk/db/installed", "usr/lib/apk/db/installed"]);

/** Finds the installed packages of apk: Alpine, Wolfi, Chainguard and distributions built from them. */
export const apkDetector: Detector = {
  name: "apk-installed",
  revision: 3,
  names: { endings: [...databases] },
  wants: ({ path }: FileEntry) => databases.has(path),
  *detect(files: LayerFiles) {
    for (const file of distinctFiles(files)) yield* readDatabase(file);
  },
};

function* readDatabase({ path, bytes }: LayerFile): Iterable<Finding> {
  const packages = new Map<string, PackageFinding>(); // the same name, version and architecture counts once
  const problems = readApkInstalled(bytes, (read) => {
    const found = packageOf(read);
    const key = `${found.name}\0${found.arch ?? ""}\0${found.version}`;
    packages.set(key, {
      kind: "package",
      packageDb: path,
      package: found,
      details: detailsOf(read),
      thirdParty: vendorOfMaintainer(parseMaintainer(read.maintainer ?? "")),
      repository: read.tag === undefined ? undefined : { name: ownText(read.tag), key: apkTagKey },
    });
  });
  yield { kind: "database", path };
  yield* packages.values();
  yield* problemFindings(path, "malformed_package_db", problems);
}

/** The package with copies of its texts, so that the text of the database is not kept in memory. */
function packageOf(read: ApkPackage): FoundPackage {
  const { arch, origin } = read;
  const [name, version] = [ownText(read.name), ownText(read.version)];
  const own: FoundPackage = {
    ...{ name, version, kind: "BINARY" },
    source: origin === undefined ? undefined : { name: ownText(origin), version, kind: "SOURCE" },
  };
  return arch === undefined ? own : { ...own, arch: ownText(arch) };
}

/** @see https://wiki.alpinelinux.org/wiki/APKBUILD_Reference#license (SPDX) */
function detailsOf(read: ApkPackage): PackageDetails | undefined {
  const { license = "", maintainer, url, description, depends, provides } = ownWords(read);
  return packageDetails({
    licenses: [{ text: license }],
    supplier: maintainer,
    homepage: url,
    description,
    requires: depends.filter((need) => !need.startsWith("!")), // which it conflicts with
    provides,
  });
}

/** `name>=1`, `so:libz.so.1=1.3.1`, `name~1.2` (of that version, or one that it begins) and `name@repository`. @see https://wiki.alpinelinux.org/wiki/Apk_spec */
function parseRelation(text: string): Relation {
  const [, name = text, order = "", version = ""] = /^([^<>=~@]{1,256})([<>=~]{0,3})([^@]{0,256})/.exec(text) ?? [];
  return order === "><" ? { name, order: "", version: "" } : { name, order, version }; // of one build, by its digest
}

const meetsVersion = meetsIn({ compare, valid });

function meets(provided: Relation, needed: Relation): boolean {
  if (!needed.order.includes("~") || provided.order === "") return meetsVersion(provided, needed);
  const isLike =
    provided.version.startsWith(needed.version) && !/^\d/.test(provided.version.slice(needed.version.length));
  return isLike || meetsVersion(provided, { ...needed, order: needed.order.replace(/[~=]/g, "") });
}

/** Finds what packages of apk need, by names, libraries, commands and paths. */
export const apkDependencies: DependencyResolver = (packages, image) => {
  const { namesOf, provides } = providedBy({ parse: parseRelation, meets });
  return dependenciesByName({
    namesIn: (need) => [parseRelation(need).name],
    namesOf,
    accepts: (found, need, from) =>
      (found.packageDb === from.packageDb || rootOf(found.packageDb) === rootOf(from.packageDb)) &&
      provides(found, parseRelation(need)),
  })(packages, image);
};

/** The root whose packages a database lists. */
function rootOf(packageDb: string): string {
  return packageDb.replace(/(?:usr\/)?lib\/apk\/db\/installed$/, "");
}
