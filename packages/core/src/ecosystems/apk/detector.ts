import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { FoundPackage } from "../../model/package.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { problemFindings } from "../linux/file-problems.ts";
import { ownText, ownWords } from "../linux/text.ts";
import { type ApkPackage, readApkInstalled } from "./installed-db.ts";

/** The second place is for systems that moved `/lib` to `/usr/lib`. */
const databases: ReadonlySet<string> = new Set(["lib/apk/db/installed", "usr/lib/apk/db/installed"]);

/** Finds the installed packages of apk: Alpine, Wolfi, Chainguard and distributions built from them. */
export const apkDetector: Detector = {
  name: "apk-installed",
  revision: 2,
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
    packages.set(key, { kind: "package", packageDb: path, package: found, details: detailsOf(read) });
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

/** The name in `name>=1`, `so:libz.so.1=1.3.1` and `name@repository`. @see https://wiki.alpinelinux.org/wiki/Apk_spec */
function nameIn(need: string): string {
  return /^[^<>=~@]+/.exec(need)?.[0] ?? need;
}

/** Finds what packages of apk need, by names, libraries, commands and paths. */
export const apkDependencies = dependenciesByName({
  namesIn: (need) => [nameIn(need)],
  namesOf: ({ package: { name }, details }) => [name, ...(details?.provides ?? []).map(nameIn)],
  accepts: ({ packageDb }, _, from) => packageDb === from.packageDb || rootOf(packageDb) === rootOf(from.packageDb),
});

/** The root whose packages a database lists. */
function rootOf(packageDb: string): string {
  return packageDb.replace(/(?:usr\/)?lib\/apk\/db\/installed$/, "");
}
