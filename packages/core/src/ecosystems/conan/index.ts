import { conanVersions } from "../../versions/conan/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { conanCacheDetector } from "./cache-detector.ts";
import { conanDetector } from "./detector.ts";
import { conanEvidence } from "./evidence.ts";
import { conanLockFiles } from "./lock-files.ts";

/** C and C++ libraries that Conan has installed, or that a folder of source code needs. */
export const conan = defineLanguage({
  name: "conan",
  ecosystem: "ConanCenter",
  repository: "conan",
  detectors: [conanCacheDetector],
  fileDetectors: [conanDetector],
  lockFileDetectors: conanLockFiles,
  versions: conanVersions,
  evidence: conanEvidence,
  purl: ["conan"],
  assesses: ["cpp"],
});
