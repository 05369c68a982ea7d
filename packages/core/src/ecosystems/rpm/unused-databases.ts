import type { UnassessedKind } from "../../model/index-report.ts";
import type { EcosystemLayer, ImageView } from "../../plugins/coalescer.ts";
import { isRpmDatabase } from "./detector.ts";
import { macroRank } from "./settings.ts";

/** The files of the backends, in the order in which rpm looks for them. */
const backends: readonly (readonly [name: string, file: string])[] = [
  ["sqlite", "rpmdb.sqlite"],
  ["ndb", "Packages.db"],
  ["bdb", "Packages"],
];
/**
 * Where rpm-ostree keeps a copy of the database of the image that it began with. Its packages are in the one that rpm reads, or were replaced.
 * @see https://github.com/coreos/rpm-ostree/blob/main/rust/src/composepost.rs
 */
const baseFolder = "usr/lib/sysimage/rpm-ostree-base-db";
/** The folders of releases, newest first; `/var/lib/rpm` is often a link to one of the others. */
const folders = ["usr/lib/sysimage/rpm", "usr/share/rpm", "var/lib/rpm", baseFolder];

/**
 * The package databases of an image that rpm does not use. rpm reads one database: in the folder `_dbpath` that of the backend `_db_backend` if it
 * is there, or else the first that is there. Where no file of macros says which, the newer folder counts. An empty database says nothing, so it is
 * in use with another one.
 * @see https://github.com/rpm-software-management/rpm/blob/rpm-4.20.0-release/lib/backend/dbi.cc (`dbDetectBackend`)
 */
export function unusedRpmDatabases(
  layers: readonly EcosystemLayer[],
  image: ImageView,
): ReadonlyMap<string, UnassessedKind | undefined> {
  const databases = databasesWithPackages(layers, image);
  if (databases.length < 2) return new Map();
  const settings = settingsOf(layers, image);
  const rank = (path: string) => [
    folderRank(folderOf(path), settings.get("_dbpath")),
    backendRank(path, settings.get("_db_backend")),
  ];
  const [, ...others] = databases.toSorted((a, b) => compareRanks(rank(a), rank(b)));
  return new Map(others.map((path) => [path, folderOf(path) === baseFolder ? undefined : "rpm"]));
}

function databasesWithPackages(layers: readonly EcosystemLayer[], image: ImageView): readonly string[] {
  const found = new Set<string>();
  for (const [index, { findings }] of layers.entries()) {
    for (const finding of findings) {
      if (finding.kind !== "package" || !isRpmDatabase(finding.packageDb)) continue;
      if (image.survives(finding.packageDb, index)) found.add(finding.packageDb);
    }
  }
  return [...found];
}

/** The settings in the files of the image, of several the one that rpm reads last. */
function settingsOf(layers: readonly EcosystemLayer[], image: ImageView): ReadonlyMap<string, string> {
  const found = layers.flatMap(({ findings }, index) =>
    findings.flatMap((each) => (each.kind === "setting" && image.survives(each.path, index) ? [each] : [])),
  );
  const inOrder = found.toSorted((a, b) => macroRank(a.path) - macroRank(b.path) || (a.path < b.path ? -1 : 1));
  return new Map(inOrder.map(({ name, value }) => [name, value]));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function folderRank(folder: string, stated: string | undefined): number {
  return stated === `/${folder}` ? -1 : folders.indexOf(folder);
}

function backendRank(path: string, stated: string | undefined): number {
  const rank = backends.findIndex(([, file]) => path.endsWith(`/${file}`));
  return backends[rank]?.[0] === stated ? -1 : rank;
}

function compareRanks([folderA = 0, backendA = 0]: readonly number[], [folderB = 0, backendB = 0]: readonly number[]) {
  return folderA - folderB || backendA - backendB;
}
