import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { homebrewDetector } from "./detector.ts";
import { homebrewEvidence } from "./evidence.ts";

/** Installed formulas of Homebrew. */
export const homebrew = defineLanguage({
  name: "homebrew",
  ecosystem: "Homebrew",
  repository: "homebrew",
  fileDetectors: [homebrewDetector],
  versions: numericVersions,
  evidence: homebrewEvidence,
  purl: ["brew"],
  assesses: ["homebrew"],
});
