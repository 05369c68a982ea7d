import { pep440Versions } from "../../versions/pep440/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { condaDetector } from "./detector.ts";

/** Packages that conda has installed, of any language. */
export const conda = defineLanguage({
  name: "conda",
  ecosystem: "conda",
  repository: "conda",
  fileDetectors: [condaDetector],
  versions: pep440Versions,
  purl: ["conda"],
  assesses: ["conda"],
});
