import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { flatpakDetector } from "./detector.ts";
import { flatpakEvidence } from "./evidence.ts";

/** Installed applications and runtimes of Flatpak. */
export const flatpak = defineLanguage({
  name: "flatpak",
  ecosystem: "Flatpak",
  repository: "flatpak",
  fileDetectors: [flatpakDetector],
  versions: numericVersions,
  evidence: flatpakEvidence,
  purl: ["flatpak"],
  assesses: ["flatpak"],
});
