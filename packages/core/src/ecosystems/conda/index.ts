import { condaVersions } from "../../versions/conda/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { condaDetector } from "./detector.ts";
import { condaEvidence } from "./evidence.ts";

/** Packages that conda has installed, of any language. */
export const conda = defineLanguage({
  name: "conda",
  ecosystem: "conda",
  repository: "conda",
  fileDetectors: [condaDetector],
  versions: condaVersions,
  evidence: condaEvidence,
  purl: ["conda"],
  assesses: ["conda"],
  keysRevision: 2,
});
