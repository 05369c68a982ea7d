/**
 * Deno's lock file. Its place of packages of npm depends on its version, the last of which is 5:
 *
 * ```
 * 5, 4: { npm: PACKAGES, jsr?, … }        3: { packages: { npm: PACKAGES, … }, … }        2: { npm: { packages: PACKAGES, … }, … }
 * PACKAGES = { KEY: { integrity, dependencies?, optionalDependencies?, os?: [NAME], cpu?: [NAME], … } }
 * KEY = NAME "@" VERSION {"_" PEER "@" VERSION}
 * ```
 * It does not say what is for development. Packages of JSR are not read: they are not packages of npm.
 * @see https://docs.deno.com/runtime/fundamentals/modules/#integrity-checking-and-lock-files
 */

import { isObject, type JsonObject } from "../../../model/json-object.ts";
import { readJson } from "../../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../../language/lock-file.ts";
import { isForSomePlatforms } from "./for-some-platforms.ts";

/** Reads `deno.lock`. */
export const denoLockDetector = lockFileDetector({
  name: "deno-lock",
  isNamed: (file) => file === "deno.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const [key, facts] of Object.entries(isObject(json) ? packagesOf(json) : {})) {
      const [, name, version] = /^(@?[^@]+)@(\d[^_]*)/.exec(key) ?? [];
      if (name === undefined || version === undefined) continue;
      yield { name, version, isOptional: isObject(facts) && isForSomePlatforms(facts) };
    }
  },
});

function packagesOf({ npm, packages }: JsonObject): JsonObject {
  const place = isObject(packages) && isObject(packages.npm) ? packages.npm : npm;
  if (!isObject(place)) return {};
  return isObject(place.packages) ? place.packages : place;
}
