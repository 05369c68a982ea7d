import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { snapDetector } from "./detector.ts";
import { snapEvidence } from "./evidence.ts";

/** Unpacked snaps. */
export const snap = defineLanguage({
  name: "snap",
  ecosystem: "Snap",
  repository: "snap",
  fileDetectors: [snapDetector],
  versions: numericVersions,
  evidence: snapEvidence,
  purl: ["snap"],
  assesses: ["snap"],
});
