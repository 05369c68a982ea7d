import type { FoundPackage } from "../../model/package.ts";
import type { Detector, FileInfo, Finding, LayerFile, LayerFiles } from "../../plugins.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { problemFindings } from "../linux/file-problems.ts";
import { type ApkPackage, parseApkInstalled } from "./installed-db.ts";

/** The second place is that of systems where `/lib` has become `/usr/lib`. */
const databases: ReadonlySet<string> = new Set(["lib/apk/db/installed", "usr/lib/apk/db/installed"]);

/** Finds the installed packages of apk: Alpine, Wolfi, Chainguard and what is made of them. */
export const apkDetector: Detector = {
  name: "apk-installed",
  revision: 1,
  wants: ({ path }: FileInfo) => databases.has(path),
  *detect(files: LayerFiles) {
    for (const file of distinctFiles(files)) yield* readDatabase(file);
  },
};

function* readDatabase({ path, bytes }: LayerFile): Iterable<Finding> {
  const { packages, problems } = parseApkInstalled(bytes);
  yield { kind: "database", path };
  for (const found of distinctPackages(packages)) yield { kind: "package", packageDb: path, package: packageOf(found) };
  yield* problemFindings(path, "malformed_package_db", problems);
}

/** The same name, version and architecture counts once. */
function distinctPackages(packages: readonly ApkPackage[]): Iterable<ApkPackage> {
  return new Map(packages.map((found) => [`${found.name}\0${found.arch ?? ""}\0${found.version}`, found])).values();
}

function packageOf({ name, version, arch, origin }: ApkPackage): FoundPackage {
  const source: FoundPackage = { name: origin, version, kind: "SOURCE" };
  const own: FoundPackage = { name, version, kind: "BINARY", source };
  return arch === undefined ? own : { ...own, arch };
}
