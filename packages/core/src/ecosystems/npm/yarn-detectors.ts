import { isTestData, isYarnArchive } from "../../evidence/rules.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeText } from "../linux/text.ts";

/** Opens the archives of packages in a cache of Yarn, from which Plug'n'Play runs them. @see https://yarnpkg.com/features/pnp */
export const yarnCacheDetector: FileDetector = {
  name: "yarn-cache",
  revision: 1,
  opens: "npm",
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

/** Archives of other platforms may be missing; one that is there shows that the project's packages are installed. */
const maxFiles = 1000;

/** Lists the archives that a project runs its packages from: the cache may be in any folder. @see https://yarnpkg.com/advanced/pnp-spec */
export const yarnPnpDetector: FileDetector = {
  name: "yarn-pnp",
  revision: 1,
  wants: ({ path }: FileEntry) => pnpPath.test(path) && !isTestData(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const folder = path.split("/").slice(0, -1);
    const files = new Set<string>();
    for (const [, relative = ""] of decodeText(bytes).matchAll(location)) {
      if (files.size < maxFiles) files.add(resolvePath(folder, relative));
    }
    if (files.size > 0) yield { kind: "listing", path, files: [...files] };
  },
};

/** The path in the layer. `..` above the root is the root. */
function resolvePath(folder: readonly string[], relative: string): string {
  const segments = [...folder];
  for (const segment of relative.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}
