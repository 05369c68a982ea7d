import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { dartDetector } from "./detector.ts";
import { dartLockFiles } from "./lock-files.ts";

/** Dart packages that source folders use. */
export const dart = defineLanguage({
  name: "dart",
  ecosystem: "Pub",
  repository: "pub",
  fileDetectors: [dartDetector],
  lockFileDetectors: dartLockFiles,
  versions: semverVersions,
  purl: ["pub"],
  assesses: ["dart"],
});
