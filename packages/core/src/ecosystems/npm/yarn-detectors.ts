import { isTestData, isYarnArchive } from "../../evidence/rules.ts";
import { parentOf, targetPath } from "../../layer/paths.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeText } from "../linux/text.ts";

/** Opens the archives of packages in a cache of Yarn, from which Plug'n'Play runs them. @see https://yarnpkg.com/features/pnp */
export const yarnCacheDetector: FileDetector = {
  name: "yarn-cache",
  revision: 1,
  opens: "npm",
  names: { endings: [".zip"] },
  wants: ({ path }: FileEntry) => isYarnArchive(path) && !isTestData(path),
  detect: () => [],
};

/** The names of the file that says where the packages of a project are; the last one if it is written as JSON. */
export const pnpFiles: readonly string[] = [".pnp.cjs", ".pnp.js", ".pnp.data.json"];

const pnpPath = /(?:^|\/)\.pnp\.(?:c?js|data\.json)$/;

/**
 * The place of a package in an archive, as JSON:
 *
 *     "packageLocation": "../root/.yarn/berry/cache/lodash-npm-4.17.20-c0db62021c-10c0.zip/node_modules/lodash/"
 */
const location = /"packageLocation": ?"([^"\\]{1,1000}\.zip)\/node_modules\//g;

/**
 * The place of a member of a workspace, which is not in an archive. Those below `node_modules` are packages that Yarn has unpacked.
 *
 *     "packageLocation": "./packages/server/"
 */
const memberLocation = /"packageLocation": ?"(\.{1,2}\/[^"\\]{1,1000})\/"/g;

/** Archives of other platforms may be missing; one that is there shows that the project's packages are installed. */
const maxPlaces = 1000;

/** Lists the archives that a project runs its packages from, since the cache may be in any folder, and the members of its workspace. @see https://yarnpkg.com/advanced/pnp-spec */
export const yarnPnpDetector: FileDetector = {
  name: "yarn-pnp",
  revision: 2,
  names: { endings: pnpFiles },
  wants: ({ path }: FileEntry) => pnpPath.test(path) && !isTestData(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const text = decodeText(bytes);
    const files = placesIn(text, location, parentOf(path));
    const members = placesIn(text, memberLocation, parentOf(path)).filter(
      (folder) => !/(?:\.zip|\/node_modules)(?:\/|$)/.test(folder),
    );
    if (files.length > 0) yield { kind: "listing", path, files, members };
  },
};

/** A copy of a place for one set of peer dependencies: `.yarn/__virtual__/a-virtual-1f/1/packages/a` is `.yarn/../packages/a`. */
const virtual = /__virtual__\/[^/]+\/(\d)\//;

function upwards(_: string, folders: string): string {
  return "../".repeat(Number(folders));
}

function placesIn(text: string, location: RegExp, folder: string): readonly string[] {
  const places = new Set<string>();
  for (const [, relative = ""] of text.matchAll(location)) {
    if (places.size < maxPlaces) places.add(targetPath(folder, relative.replace(virtual, upwards)));
  }
  return [...places];
}
