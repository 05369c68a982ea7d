import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";
import { isOfDependency } from "../language/package-folders.ts";

const inYarnCache = /(?:^|\/)\.?yarn\/(?:berry\/)?cache\/[^/]+\.zip$/;
/** The end of the names that Yarn gives: `lodash-npm-4.17.21-6382451519-eb835a2e51.zip`. */
const yarnHashes = /-[0-9a-f]{10}-[0-9a-z]{1,128}\.zip$/;

/** Whether a file is the archive of a package in a cache of Yarn. The folder may have any name (`cacheFolder`). */
export function isYarnArchive(path: string): boolean {
  if (!path.endsWith(".zip")) return false;
  return inYarnCache.test(path) || (yarnHashes.test(path) && /-(?:npm|patch)-/.test(path));
}

/** The names of the file of Yarn that says where the packages of a project are; the last one if it is written as JSON. */
export const pnpFiles: readonly string[] = [".pnp.cjs", ".pnp.js", ".pnp.data.json"];

/** The list of what npm has installed, in the folder of the packages themselves. @see https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json#hidden-lockfiles */
export function isHiddenLockFile(path: string): boolean {
  return (
    path.endsWith("node_modules/.package-lock.json") &&
    !isOfDependency(path.replace(/(?:^|\/)node_modules\/[^/]*$/, "/"))
  );
}

/**
 * A member of an archive of `npm pack`, in which everything is in the folder `package`, or of an application with its packages.
 * @see https://docs.npmjs.com/cli/v11/commands/npm-pack
 */
const packed = /^package\/package\.json$|(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;

/** `lodash` 4.17.21 of `lodash-4.17.21.tgz`. The name of a scope is joined with that of the package, so that it is not known. */
function packedAs(path: string): EvidencePackage | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:tar|tar\.gz|tgz)$/i, "");
  const at = file.search(/-\d+\.\d+\.\d/);
  return at <= 0 ? undefined : { name: file.slice(0, at), version: file.slice(at + 1) };
}

/** What shows that there are packages of npm. */
export const npmEvidence: readonly EvidenceRule[] = [
  { kind: "npm", mark: "javascript" },
  { kind: "npm", mark: "asar" },
  { kind: "npm", files: ["package.json"], where: /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/ },
  { kind: "npm", extensions: ["asar"] },
  { kind: "npm", files: [".bower.json"] },
  // https://learn.microsoft.com/en-us/aspnet/core/client-side/libman/
  { kind: "npm", files: ["libman.json"], unless: { test: isOfDependency } },
  { kind: "npm", files: [".corepack"] },
  { kind: "npm", extensions: ["zip"], where: { test: isYarnArchive } },
  { ...packedInTar("npm", packed), unless: { test: isOfDependency }, packageOf: packedAs },
  lockFilesNamed("npm", "bun.lock", "bun.lockb", "deno.lock", "npm-shrinkwrap.json", "package-lock.json"),
  lockFilesNamed("npm", "pnpm-lock.yaml", "yarn.lock"),
  lockFilesNamed("npm", ...pnpFiles),
  { kind: "npm", files: [".package-lock.json"], where: { test: isHiddenLockFile }, isLockFile: true },
];
