import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { snapDetector } from "./detector.ts";

/** Unpacked snaps. */
export const snap = defineLanguage({
  name: "snap",
  ecosystem: "Snap",
  repository: "snap",
  fileDetectors: [snapDetector],
  versions: numericVersions,
  purl: ["snap"],
  assesses: ["snap"],
});
