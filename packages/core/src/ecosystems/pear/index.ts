import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { pearDetector } from "./detector.ts";
import { pearEvidence } from "./evidence.ts";

/** Packages of PEAR and extensions of PECL. */
export const pear = defineLanguage({
  name: "pear",
  ecosystem: "PEAR",
  repository: "pear",
  fileDetectors: [pearDetector],
  versions: composerVersions,
  wholeName: /\//,
  keysRevision: 2,
  evidence: pearEvidence,
  purl: ["pear"],
  assesses: ["php"],
});
