import { isObject, textOf } from "../../model/json-object.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";

const packagesLockDetector = lockFileDetector({
  name: "nuget-packages-lock",
  isNamed: (file) => /^packages(?:\.[^/]+)?\.lock\.json$/.test(file),
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    const frameworks = isObject(json) && isObject(json.dependencies) ? Object.values(json.dependencies) : [];
    for (const [name, entry] of frameworks.filter(isObject).flatMap((each) => Object.entries(each))) {
      const version = isObject(entry) ? textOf(entry.resolved) : "";
      if (version !== "") yield { name, version }; // a project has none
    }
  },
});

/**
 * The detectors of NuGet's lock files: `packages.lock.json`, `{ dependencies: { FRAMEWORK: { NAME: { type, resolved } } } }`.
 * @see https://learn.microsoft.com/en-us/nuget/consume-packages/package-references-in-project-files#locking-dependencies
 */
export const dotnetLockFiles = [packagesLockDetector];
