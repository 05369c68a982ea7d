import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { composerApplicationDetector } from "./application-detector.ts";
import { composerDetector } from "./detector.ts";
import { phpEvidence } from "./evidence.ts";
import { phpLockFiles } from "./lock-files.ts";

/** Packages of PHP that Composer has installed. */
export const php = defineLanguage({
  name: "php",
  ecosystem: "Packagist",
  repository: "packagist",
  fileDetectors: [composerDetector, composerApplicationDetector],
  lockFileDetectors: phpLockFiles,
  versions: composerVersions,
  evidence: phpEvidence,
  purl: ["composer"],
  assesses: ["php"],
});
