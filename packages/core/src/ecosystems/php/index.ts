import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { withStatedDetails } from "../language/stated-details.ts";
import { withoutListed } from "../language/without-listed.ts";
import { composerApplicationDetector, vendorOf } from "./application-detector.ts";
import { branchOf } from "./branches.ts";
import { composerDetector } from "./detector.ts";
import { phpEvidence } from "./evidence.ts";
import { phpLockFiles } from "./lock-files.ts";
import { pharDetector } from "./phar-detector.ts";

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
