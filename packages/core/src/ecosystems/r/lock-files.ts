import { isObject, textOf } from "../../model/json-object.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";

const renvLockDetector = lockFileDetector({
  name: "renv-lock",
  isNamed: (file) => file === "renv.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const [name, entry] of Object.entries(isObject(json) && isObject(json.Packages) ? json.Packages : {})) {
      const version = isObject(entry) ? textOf(entry.Version) : "";
      if (version !== "") yield { name, version };
    }
  },
});

/**
 * The detectors of R's lock files: `renv.lock`, `{ Packages: { NAME: { Version } } }`.
 * @see https://rstudio.github.io/renv/reference/lockfiles.html
 */
export const rLockFiles = [renvLockDetector];
