import { contentOf } from "../../bytes/byte-parts.ts";
import { dependenciesByName } from "../../index/named-dependencies.ts";
import { isTestData } from "../../layer/test-data.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Finding } from "../../plugins/finding.ts";
import { maxStubBytes, pharMark } from "../../programs/watch-program.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { withStatedDetails } from "../language/stated-details.ts";
import { withoutListed } from "../language/without-listed.ts";
import { composerApplicationDetector, vendorOf } from "./application-detector.ts";
import { branchOf, versionIn } from "./branches.ts";
import { composerDetector } from "./detector.ts";
import { phpEvidence } from "./evidence.ts";

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
const phpLockFiles = [composerLockDetector];

/** Opens programs of PHP with all their files in one, such as Composer itself. Those that are zip or tar archives are evidence of packages. */
const pharDetector: FileDetector = {
  name: "php-phar",
  revision: 1,
  opens: { packages: "php", format: "phar", isArchive: (file) => isPhar(file) && !isTestData(file.path) },
  programs: "phar",
  names: { endings: [".phar"] },
  wants: ({ path, kind }: FileEntry) => kind !== "symbolic-link" && path.endsWith(".phar"),
  *detect(file: LayerFile): Iterable<Finding> {
    if (isPhar(file) || isTestData(file.path)) return;
    yield { kind: "evidence", path: file.path, packages: "php", pieces: 1 };
  },
};

function isPhar(file: LayerFile): boolean {
  return pharMark.find(contentOf(file).subarray(0, maxStubBytes)) >= 0;
}

const language = defineLanguage({
  name: "php",
  ecosystem: "Packagist",
  repository: "packagist",
  fileDetectors: [composerDetector, composerApplicationDetector, pharDetector],
  lockFileDetectors: phpLockFiles,
  versions: composerVersions,
  wholeName: /\//,
  unreleased: branchOf,
  keysRevision: 2,
  evidence: phpEvidence,
  dependencies: dependenciesByName({
    namesOf: ({ package: { name }, details }) => [name, ...(details?.provides ?? [])],
    accepts: (found, _, from) => vendorOf(found.packageDb) === vendorOf(from.packageDb),
  }),
  runtime: { program: "php" },
  purl: ["composer"],
  assesses: ["php"],
});

const { coalesce = () => [] } = language;

/** Packages of PHP that Composer has installed. */
export const php: Ecosystem = {
  ...language,
  coalesce: withoutListed(withStatedDetails(coalesce, ({ packageDb }) => [packageDb])),
};
