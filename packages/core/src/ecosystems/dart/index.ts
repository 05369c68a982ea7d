import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { dartDetector } from "./detector.ts";

/** Dart: the packages that folders are resolved to. */
export const dart = defineLanguage({
  name: "dart",
  ecosystem: "Pub",
  repository: "pub",
  fileDetectors: [dartDetector],
  versions: semverVersions,
  purl: ["pub"],
  assesses: ["dart"],
});
