import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { oneFileProgram } from "../language/one-file-program.ts";
import { npmDependencies } from "./details.ts";
import { asarDetector, corepackDetector, npmDetector } from "./detector.ts";
import { npmEvidence } from "./evidence.ts";
import { bunLockDetector } from "./lock-files/bun-lock.ts";
import { denoLockDetector } from "./lock-files/deno-lock.ts";
import { packageLockDetector } from "./lock-files/package-lock.ts";
import { pnpmLockDetector } from "./lock-files/pnpm-lock.ts";
import { yarnLockDetector } from "./lock-files/yarn-lock.ts";
import { yarnCacheDetector, yarnPnpDetector, yarnPnpLockDetector } from "./yarn-detectors.ts";

/** The modules that come with an installation of Node.js are in a folder beside that of its program. */
function placesFor(packageDb: string): readonly string[] {
  const [, prefix] = /^(.*?)lib\/node_modules\//.exec(packageDb) ?? [];
  return prefix === undefined ? [] : [`${prefix}bin/node`];
}

/** Yarn has the archives of packages in a cache, which may be that of all projects. */
const yarnCache = /(?:^|\/)\.yarn\//;

/** Packages that npm, Yarn and pnpm have installed. */
export const npm = defineLanguage({
  name: "npm",
  ecosystem: "npm",
  repository: "npm",
  fileDetectors: [
    npmDetector,
    corepackDetector,
    asarDetector,
    yarnCacheDetector,
    yarnPnpDetector,
    oneFileProgram("javascript-program", "npm", "javascript"),
  ],
  lockFileDetectors: [
    packageLockDetector,
    yarnLockDetector,
    yarnPnpLockDetector,
    pnpmLockDetector,
    bunLockDetector,
    denoLockDetector,
  ],
  versions: semverVersions,
  evidence: npmEvidence,
  installation: { isPlace: (place, folder) => place.startsWith(folder) || yarnCache.test(place) },
  dependencies: npmDependencies,
  runtime: { program: "node", placesFor },
  purl: ["npm"],
  assesses: ["npm"],
});
