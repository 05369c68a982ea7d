import { composerVersions } from "../../versions/composer/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { wordpressDetector } from "./detector.ts";

/** WordPress, its plugins and its themes. */
export const wordpress = defineLanguage({
  name: "wordpress",
  ecosystem: "WordPress",
  repository: "wordpress",
  fileDetectors: [wordpressDetector],
  versions: composerVersions,
  purl: ["wordpress"],
  assesses: [],
});
