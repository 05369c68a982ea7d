/**
 * The lock files of Python's tools:
 *
 * ```
 * poetry.lock, pdm.lock, uv.lock, pylock.toml, SCRIPT.py.lock (of uv): see {@link "./toml-locks.ts"}
 * Pipfile.lock: { default, develop: { NAME: { version: "==1.0", markers? } } }
 * requirements*.txt, requirements/*.txt: NAME ["[" extras "]"] ["==" VERSION] [";" marker] …
 * ```
 * @see https://pip.pypa.io/en/stable/reference/requirements-file-format/
 */

import { isObject, textOf } from "../../model/json-object.ts";
import type { CoalescedPackage } from "../../plugins/coalescer.ts";
import type { FileDetector } from "../../plugins/detector.ts";
import type { InstalledLock, LockInstallation } from "../../plugins/ecosystem.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { lockedName } from "../language/locked-packages.ts";
import { isOfDependency } from "../language/package-folders.ts";
import { decodeText } from "../linux/text.ts";
import { isForDevelopment, isInRequirementsFolder, isRequirementsFile } from "./evidence.ts";
import { evaluateMarker } from "./markers.ts";
import { lockedInToml } from "./toml-locks.ts";

const tomlFiles: ReadonlySet<string> = new Set(["poetry.lock", "pdm.lock", "uv.lock"]);

const tomlDetector = lockFileDetector({
  name: "python-toml-locks",
  isNamed: (file) => tomlFiles.has(file) || /^pylock(?:\.[^.]+)?\.toml$|[^/]\.py\.lock$/.test(file),
  revision: 4,
  read: ({ bytes, path }) => lockedInToml(decodeText(bytes), path.slice(path.lastIndexOf("/") + 1)),
});

const pipfileDetector = lockFileDetector({
  name: "pipfile-lock",
  revision: 2,
  isNamed: (file) => file === "Pipfile.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const section of ["default", "develop"]) {
      const packages = isObject(json) ? json[section] : undefined;
      for (const [name, entry] of Object.entries(isObject(packages) ? packages : {})) {
        const version = isObject(entry) ? textOf(entry.version).replace(/^==+/, "") : "";
        const isUnpublished = version === "" && isObject(entry) && entry.git !== undefined;
        if (version === "" && !isUnpublished) continue;
        const isOptional = isObject(entry) && evaluateMarker(textOf(entry.markers)) !== true;
        yield { name, version, isDevelopment: section === "develop", isOptional, isUnpublished };
      }
    }
  },
});

const pinned = /^([A-Za-z0-9][\w.-]*) ?(?:\[[^\]]*\])? ?===? ?([\w.!+-]+)(?=$|[\s;,#\\])/;
/** `requests`, `idna>=3,<4`, `a[b]~=1 ; python_version > "3"`, `c @ https://…`: any version, or one from another place than an index of packages. */
const unpinned = /^([A-Za-z0-9][\w.-]*) ?(?:\[[^\]]*\])? ?(?:$|[<>=!~;@#\\])/;
/** `git+https://example.org/a/b.git@main#egg=b`. */
const ofAddress = /^(?:-e |--editable[ =])?[a-z+]{1,20}:\/\/[^\s#]+#(?:[^\s#]*&)?egg=([A-Za-z0-9][\w.-]*)/;

const requirements = lockFileDetector({
  name: "python-requirements",
  revision: 2,
  isNamed: (file) => isRequirementsFile(file),
  *read(file) {
    const isDevelopment = isForDevelopment(file.path);
    for (const written of decodeText(file.bytes).split("\n")) {
      const line = written.trim().replaceAll(/[ \t]+/g, " ");
      const [, name, version] = pinned.exec(line) ?? [];
      const marker =
        /;([^#\\]*)/
          .exec(line)?.[1]
          ?.replace(/\s--hash.*$/s, "")
          .trim() ?? "";
      const isOptional = marker !== "" && evaluateMarker(marker) === false;
      if (name !== undefined && version !== undefined) yield { name, version, isDevelopment, isOptional };
      else {
        const free = (unpinned.exec(line) ?? ofAddress.exec(line))?.[1];
        if (free !== undefined) yield { name: free, version: "", isUnpublished: true, isDevelopment, isOptional };
      }
    }
  },
});

/** A requirement of any version is no package, but it shows that there is one. */
const requirementsDetector: FileDetector = {
  ...requirements,
  wants: (info) => requirements.wants(info) || (isInRequirementsFolder(info.path) && !isOfDependency(info.path)),
  *detect(file) {
    yield* requirements.detect(file);
    const listed = [...(requirements.lists?.(file) ?? [])];
    const pieces = listed.filter(({ version, isDevelopment }) => version === "" && isDevelopment !== true).length;
    if (pieces > 0) yield { kind: "evidence", path: file.path, packages: "python", pieces };
  },
};

/** The detectors of Python's lock files. */
export const pythonLockFiles = [tomlDetector, pipfileDetector, requirementsDetector];

/** The usual names of an environment of Python in the folder of a project. */
const environment = /^(?:\.venv|venv|env|__pypackages__)\//;
/** Tools that an environment may have besides. */
const installers: ReadonlySet<string> = new Set(["pip", "setuptools", "wheel"]);
/** The packages of an environment by which it is recognized as that of a lock file. */
const sufficientInEnvironment = 2;

/**
 * Whether the environment in the folder of a lock file was made from it: all its packages but the project itself are of the lock file. What the environment
 * does not have was left out when it was made: groups of development, or other members of a workspace.
 */
function isOfEnvironment(
  { path, packages: listed, isWhole }: InstalledLock,
  packages: readonly CoalescedPackage[],
): boolean {
  if (isWhole !== true) return false;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const there = packages.filter(
    ({ packageDb, package: { name } }) =>
      packageDb.startsWith(folder) && environment.test(packageDb.slice(folder.length)) && !installers.has(name),
  );
  const inLock = there.filter(({ package: found }) => listed.includes(lockedName(found)));
  return inLock.length >= sufficientInEnvironment && there.length - inLock.length <= 1;
}

/** Environments of Python have `pip` besides, and are often made without groups of the lock file. */
export const pythonInstallation: LockInstallation = { installers, isMadeFrom: isOfEnvironment };
