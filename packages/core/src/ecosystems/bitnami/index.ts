import { bitnamiVersions } from "../../versions/bitnami/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { bitnamiEvidence } from "./evidence.ts";

/** Bitnami's components, from the bills of materials in its images. */
export const bitnami = defineLanguage({
  name: "bitnami",
  ecosystem: "Bitnami",
  repository: "bitnami",
  fileDetectors: [],
  versions: bitnamiVersions,
  evidence: bitnamiEvidence,
  purl: ["bitnami"],
  assesses: [],
});
