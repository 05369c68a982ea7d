import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { npmDetector } from "./detector.ts";

/** npm: what npm, yarn and pnpm have installed. */
export const npm = defineLanguage({
  name: "npm",
  ecosystem: "npm",
  repository: "npm",
  fileDetectors: [npmDetector],
  versions: semverVersions,
  purl: ["npm"],
  assesses: ["npm"],
});
