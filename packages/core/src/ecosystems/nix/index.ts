import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { nixStoreDetector } from "./detector.ts";
import { nixEvidence } from "./evidence.ts";

/** Packages in the store of Nix. */
export const nix = {
  ...defineLanguage({
    name: "nix",
    ecosystem: "Nix",
    repository: "nix",
    fileDetectors: [],
    versions: numericVersions,
    evidence: nixEvidence,
    purl: ["nix"],
    assesses: ["nix"],
  }),
  pathDetectors: [nixStoreDetector],
};
