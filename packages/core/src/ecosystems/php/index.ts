import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { composerDetector } from "./detector.ts";

/** PHP: what Composer has installed. */
export const php = defineLanguage({
  name: "php",
  ecosystem: "Packagist",
  repository: "packagist",
  fileDetectors: [composerDetector],
  versions: composerVersions,
  purl: ["composer"],
  assesses: ["php"],
});
