/**
 * The cache of Conan 2, with a database of the packages in it and a folder for each:
 *
 * ```
 * p/cache.sqlite3            packages   reference, rrev, pkgid, prev, path, timestamp, build_id, lru
 * p/PATH/p/conaninfo.txt                the description of the package; p/PATH/b/conaninfo.txt that of its build
 * ```
 * @see https://github.com/conan-io/conan/blob/develop2/conan/internal/cache/db/packages_table.py
 */
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeSqliteFile } from "../../sqlite/file.ts";
import { readTable } from "../../sqlite/table.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { type ConanPackage, parseReference } from "./reference.ts";

const databaseName = /(?:^|\/)p\/cache\.sqlite3$/;
const packageFolder = /(?:^|\/)p\/(?:b\/)?[^/]+\/p\/conaninfo\.txt$/;
const buildFolder = /(?:^|\/)p\/b\/[^/]+\/b\/conaninfo\.txt$/;

/** The largest number of packages in a cache; that of a large project has some hundreds. */
const maxRows = 100_000;

/** Whether a path is that of a description in a cache of Conan 2. */
export function isInCache(path: string): boolean {
  return packageFolder.test(path) || buildFolder.test(path);
}

/** Finds the packages in caches of Conan 2. A package that the database does not name remains unassessed. */
export const conanCacheDetector: Detector = {
  name: "conan-cache",
  revision: 1,
  names: { endings: ["conaninfo.txt", "cache.sqlite3"] },
  wants: ({ path }: FileEntry) =>
    (path.endsWith("/conaninfo.txt") && packageFolder.test(path)) ||
    (path.endsWith("cache.sqlite3") && databaseName.test(path)),
  detect: detectCached,
};

function* detectCached(files: LayerFiles): Generator<Finding> {
  const named = new Map<string, ConanPackage>();
  for (const file of files) {
    if (!databaseName.test(file.path)) continue;
    try {
      for (const [path, found] of packagesIn(file)) named.set(path, found);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      yield unreadable(file.path, error.message);
    }
  }
  for (const { path } of files) {
    if (databaseName.test(path)) continue;
    const found = named.get(path);
    yield found === undefined ? { kind: "evidence", path, packages: "cpp", pieces: 1 } : provenPackage({ path }, found);
  }
}

/** The packages of a database by the paths of their descriptions. */
function* packagesIn({ path, bytes }: LayerFile): Iterable<readonly [path: string, found: ConanPackage]> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  let rows = 0;
  for (const row of readTable(decodeSqliteFile(bytes), "packages")) {
    if (++rows > maxRows) throw malformedPackageDb(`expected at most ${maxRows} packages, found more`);
    if (row.kind === "damaged") continue;
    const [reference, , , , place] = row.values;
    const found = typeof reference === "string" ? parseReference(reference) : undefined;
    if (found !== undefined) yield [`${folder}/${String(place)}/p/conaninfo.txt`, found];
  }
}
