import { SaxesParser } from "saxes";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import { readJson } from "../language/json-file.ts";
import { type LockedPackage, lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";

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

/** Projects of .NET Framework have it beside their sources, and often beside what was built. */
const packagesConfigDetector = lockFileDetector({
  name: "nuget-packages-config",
  isNamed: (file) => /^packages(?:\.[^/]+)?\.config$/i.test(file),
  *read({ bytes }) {
    const found: LockedPackage[] = [];
    const parser = new SaxesParser();
    parser.on("opentag", ({ name: tag, attributes: { id: name, version, developmentDependency } }) => {
      if (tag !== "package" || name === undefined || version === undefined) return;
      found.push({ name, version, isDevelopment: developmentDependency === "true" });
    });
    parser.on("error", ({ message }) => {
      throw malformedPackageDb(`expected XML, found something else: ${message}`);
    });
    parser.write(decodeText(bytes)).close();
    yield* found;
  },
});

/**
 * The detectors of NuGet's lock files:
 *
 * ```
 * packages.lock.json: { dependencies: { FRAMEWORK: { NAME: { type, resolved } } } }
 * packages.config:    <packages> {<package id= version= developmentDependency?= />} </packages>
 * ```
 * @see https://learn.microsoft.com/en-us/nuget/consume-packages/package-references-in-project-files#locking-dependencies
 * @see https://learn.microsoft.com/en-us/nuget/reference/packages-config
 */
export const dotnetLockFiles = [packagesLockDetector, packagesConfigDetector];
