import { parentOf, targetPath } from "../../layer/paths.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";
import { isYarnArchive, pnpFiles } from "./evidence.ts";

/** Opens the archives of packages in a cache of Yarn, from which Plug'n'Play runs them. @see https://yarnpkg.com/features/pnp */
export const yarnCacheDetector: FileDetector = {
  name: "yarn-cache",
  revision: 1,
  opens: { packages: "npm" },
  names: { endings: [".zip"] },
  wants: ({ path }: FileEntry) => isYarnArchive(path),
  detect: () => [],
};

const pnpPath = /(?:^|\/)\.pnp\.(?:c?js|data\.json)$/;

/**
 * The place of a package in an archive, as JSON:
 *
 *     "packageLocation": "../root/.yarn/berry/cache/lodash-npm-4.17.20-c0db62021c-10c0.zip/node_modules/lodash/"
 */
const location = /"packageLocation": ?"([^"\\]{1,1000}\.zip)\/node_modules\//g;

/**
 * The place of a member of a workspace, which is not in an archive, or of a package that Yarn has unpacked, which is below `node_modules`.
 *
 *     "packageLocation": "./packages/server/"
 *     "packageLocation": "./.yarn/unplugged/esbuild-npm-0.25.0-1f/node_modules/esbuild/"
 */
const folderLocation = /"packageLocation": ?"(\.{1,2}\/[^"\\]{1,1000})\/"/g;

/** The places of one kind. Archives of other platforms may be missing; one that is there shows that the project's packages are installed. */
const maxPlaces = 1000;

/** What is in an archive or below `node_modules` is a package, any other folder is a member. */
const ofPackage = /(?:\.zip|\/node_modules)(?:\/|$)/;
const isUnpacked = (place: string) => /\/node_modules\//.test(place) && !place.includes(".zip/");

/** Lists the archives that a project runs its packages from, since the cache may be in any folder, and the members of its workspace. @see https://yarnpkg.com/advanced/pnp-spec */
export const yarnPnpDetector: FileDetector = {
  name: "yarn-pnp",
  revision: 3,
  names: { endings: pnpFiles },
  wants: ({ path }: FileEntry) => pnpPath.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const text = decodeText(bytes);
    const folder = parentOf(path);
    const archives = placesIn({ text, location, folder });
    const unpacked = placesIn({ text, location: folderLocation, folder, isWanted: isUnpacked });
    const members = placesIn({ text, location: folderLocation, folder, isWanted: (place) => !ofPackage.test(place) });
    const files = [...archives, ...unpacked.map((place) => `${place}/package.json`)];
    if (files.length > 0) yield { kind: "listing", path, files, members };
  },
};

/** A copy of a place for one set of peer dependencies: `.yarn/__virtual__/a-virtual-1f/1/packages/a` is `.yarn/../packages/a`. */
const virtual = /__virtual__\/[^/]+\/(\d)\//;

function upwards(_: string, folders: string): string {
  return "../".repeat(Number(folders));
}

interface Listed {
  readonly text: string;
  readonly location: RegExp;
  /** The folder of the document. */
  readonly folder: string;
  /** Only these count, and are counted; all where absent. */
  readonly isWanted?: (place: string) => boolean;
}

function placesIn({ text, location, folder, isWanted = () => true }: Listed): readonly string[] {
  const places = new Set<string>();
  for (const [, relative = ""] of text.matchAll(location)) {
    if (places.size >= maxPlaces) break;
    const place = targetPath(folder, relative.replace(virtual, upwards));
    if (isWanted(place)) places.add(place);
  }
  return [...places];
}

/**
 * A package that another one needs, as JSON; each package needs itself, too:
 *
 *     "packageDependencies": [["lodash", "npm:4.17.20"], ["old", ["lodash", "npm:3.0.0"]], ["react-dom", "virtual:0a1b…#npm:18.2.0"]]
 */
const neededPackage = /"((?:@[\w.~-]{1,214}\/)?[\w.~-]{1,214})", ?"(?:virtual:[^"#]{1,200}#)?npm:(\d[^"#]{0,100})"/g;

/** Reads the packages of a project of Plug'n'Play, which has no folder of packages. */
export const yarnPnpLockDetector = lockFileDetector({
  name: "yarn-pnp-lock",
  isNamed: (file) => pnpFiles.includes(file),
  *read({ bytes }) {
    for (const [, name = "", version = ""] of decodeText(bytes).matchAll(neededPackage)) yield { name, version };
  },
});
