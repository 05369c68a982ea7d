import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";
import { isTestData } from "../language/package-folders.ts";

const inYarnCache = /(?:^|\/)\.?yarn\/(?:berry\/)?cache\/[^/]+\.zip$/;
/** The end of the names that Yarn gives: `lodash-npm-4.17.21-6382451519-eb835a2e51.zip`. */
const yarnHashes = /-[0-9a-f]{10}-[0-9a-z]{1,128}\.zip$/;

/** Whether a file is the archive of a package in a cache of Yarn. The folder may have any name (`cacheFolder`). */
export function isYarnArchive(path: string): boolean {
  if (!path.endsWith(".zip")) return false;
  return inYarnCache.test(path) || (yarnHashes.test(path) && /-(?:npm|patch)-/.test(path));
}

/** What shows that there are packages of npm. */
export const npmEvidence: readonly EvidenceRule[] = [
  { kind: "npm", mark: "asar" },
  { kind: "npm", files: ["package.json"], where: /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/ },
  { kind: "npm", extensions: ["asar"] },
  { kind: "npm", files: [".corepack"], unless: { test: isTestData } },
  { kind: "npm", extensions: ["zip"], where: { test: isYarnArchive }, unless: { test: isTestData } },
  lockFilesNamed("npm", "bun.lock", "bun.lockb", "deno.lock", "npm-shrinkwrap.json", "package-lock.json"),
  lockFilesNamed("npm", "pnpm-lock.yaml", "yarn.lock"),
];
