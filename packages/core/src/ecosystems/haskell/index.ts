import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { haskellDetector } from "./detector.ts";
import { haskellEvidence } from "./evidence.ts";

/** Haskell libraries in the package databases of GHC. */
export const haskell = defineLanguage({
  name: "haskell",
  ecosystem: "Hackage",
  repository: "hackage",
  fileDetectors: [haskellDetector],
  versions: numericVersions,
  evidence: haskellEvidence,
  purl: ["hackage"],
  assesses: ["haskell"],
});
