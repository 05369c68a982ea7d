import { isObject, textOf } from "../../model/json-object.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { versionIn } from "./branches.ts";

const composerLockDetector = lockFileDetector({
  name: "composer-lock",
  isNamed: (file) => file === "composer.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const section of ["packages", "packages-dev"]) {
      const packages = isObject(json) ? json[section] : undefined;
      for (const entry of Array.isArray(packages) ? packages : []) {
        const [name, version] = isObject(entry) ? [textOf(entry.name), versionIn(entry)] : ["", ""];
        if (name !== "" && version !== "") yield { name, version, isDevelopment: section === "packages-dev" };
      }
    }
  },
});

/**
 * The detectors of PHP's lock files: `composer.lock`, `{ packages, packages-dev: [{ name, version }] }`.
 * @see https://getcomposer.org/doc/01-basic-usage.md#commit-your-composer-lock-file-to-version-control
 */
export const phpLockFiles = [composerLockDetector];
