import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { haskellDetector } from "./detector.ts";

/** Haskell libraries in the package databases of GHC. */
export const haskell = defineLanguage({
  name: "haskell",
  ecosystem: "Hackage",
  repository: "hackage",
  fileDetectors: [haskellDetector],
  versions: numericVersions,
  purl: ["hackage"],
  assesses: ["haskell"],
});
