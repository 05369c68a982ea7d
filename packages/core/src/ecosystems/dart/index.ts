/**
 * The cache of pub, in which a folder for each package has its description:
 *
 * ```
 * hosted/HOST/NAME-VERSION/pubspec.yaml
 * git/REPOSITORY-COMMIT/pubspec.yaml          with name and version, which may be missing
 * ```
 * @see https://dart.dev/tools/pub/environment-variables
 */

import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { pubVersions } from "../../versions/pub/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { parseYamlSubset, yamlMap, yamlText } from "../language/yaml-subset.ts";
import { decodeText } from "../linux/text.ts";
import { dartDetector } from "./detector.ts";
import { dartEvidence } from "./evidence.ts";

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
const dartLockFiles = [pubspecLockDetector];

const hosted = /(?:^|\/)hosted\/[^/]+\/([a-z_][a-z0-9_]*)-(\d[^/]*)\/pubspec\.yaml$/i;
const fromGit = /(?:^|\/)git\/[^/]+-[0-9a-f]{40}\/pubspec\.yaml$/;

/** Finds the Dart packages in a cache of pub. */
const pubCacheDetector: FileDetector = {
  name: "dart-pub-cache",
  revision: 1,
  names: { endings: ["/pubspec.yaml"] },
  wants: ({ path }: FileEntry) => path.endsWith("/pubspec.yaml") && (hosted.test(path) || fromGit.test(path)),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", version = ""] = hosted.exec(file.path) ?? described(file);
    if (name === "") yield unreadable(file.path, "expected the name of a Dart package, found none");
    else yield provenPackage(file, { name, version: version.replaceAll(/%2b/gi, "+") });
  },
};

function described({ bytes }: LayerFile): readonly string[] {
  const members = parseYamlSubset(decodeText(bytes));
  return ["", yamlText(members.get("name")), yamlText(members.get("version"))];
}

/** Dart packages that source folders use, and those in caches of pub. */
export const dart = defineLanguage({
  name: "dart",
  ecosystem: "Pub",
  repository: "pub",
  fileDetectors: [dartDetector, pubCacheDetector],
  lockFileDetectors: dartLockFiles,
  versions: pubVersions,
  evidence: dartEvidence,
  purl: ["pub"],
  assesses: ["dart"],
});
