import { lockFileDetector } from "../language/lock-file.ts";
import { parseYamlSubset, yamlMap, yamlText } from "../language/yaml-subset.ts";
import { decodeText } from "../linux/text.ts";

const pubspecLockDetector = lockFileDetector({
  name: "pubspec-lock",
  isNamed: (file) => file === "pubspec.lock",
  *read(file) {
    const lock = parseYamlSubset(decodeText(file.bytes));
    for (const [name, entry] of yamlMap(lock.get("packages"))) {
      const member = (key: string): string => yamlText(yamlMap(entry).get(key));
      const isDevelopment = member("dependency") === "direct dev";
      const isUnpublished = member("source") === "git";
      if (isUnpublished || member("source") === "hosted")
        yield { name, version: member("version"), isDevelopment, isUnpublished };
    }
  },
});

/**
 * The detectors of Dart's lock files: `packages: { NAME: { dependency, source, version } }`. The file does not say which packages are needed only by
 * packages for development.
 * @see https://dart.dev/tools/pub/glossary#lockfile
 */
export const dartLockFiles = [pubspecLockDetector];
