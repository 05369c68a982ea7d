import { pubVersions } from "../../versions/pub/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { dartDetector } from "./detector.ts";
import { dartEvidence } from "./evidence.ts";
import { dartLockFiles } from "./lock-files.ts";
import { pubCacheDetector } from "./pub-cache-detector.ts";

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
