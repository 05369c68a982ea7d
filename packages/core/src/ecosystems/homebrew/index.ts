import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { homebrewDetector } from "./detector.ts";

/** Installed formulas of Homebrew. */
export const homebrew = defineLanguage({
  name: "homebrew",
  ecosystem: "Homebrew",
  repository: "homebrew",
  fileDetectors: [homebrewDetector],
  versions: numericVersions,
  purl: ["brew"],
  assesses: ["homebrew"],
});
