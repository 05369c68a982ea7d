import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { flatpakDetector } from "./detector.ts";

/** Installed applications and runtimes of Flatpak. */
export const flatpak = defineLanguage({
  name: "flatpak",
  ecosystem: "Flatpak",
  repository: "flatpak",
  fileDetectors: [flatpakDetector],
  versions: numericVersions,
  purl: ["flatpak"],
  assesses: ["flatpak"],
});
