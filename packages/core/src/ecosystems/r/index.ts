import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rDetector } from "./detector.ts";
import { rEvidence } from "./evidence.ts";
import { rLockFiles } from "./lock-files.ts";

/** Installed packages of R. */
export const r = defineLanguage({
  name: "r",
  ecosystem: "CRAN",
  repository: "cran",
  fileDetectors: [rDetector],
  lockFileDetectors: rLockFiles,
  versions: numericVersions,
  evidence: rEvidence,
  purl: ["cran"],
  assesses: ["r"],
});
