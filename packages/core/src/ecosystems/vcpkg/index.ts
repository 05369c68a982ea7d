import { cpeVersions } from "../cpe/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { vcpkgDetector } from "./detector.ts";
import { vcpkgEvidence } from "./evidence.ts";

/** Installed ports of vcpkg, which are C and C++ libraries. */
export const vcpkg = defineLanguage({
  name: "vcpkg",
  ecosystem: "vcpkg",
  repository: "vcpkg",
  fileDetectors: [vcpkgDetector],
  versions: cpeVersions,
  evidence: vcpkgEvidence,
  purl: ["vcpkg"],
  assesses: ["cpp"],
});
