import { gemVersions } from "../../versions/gem/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rubyDetector } from "./detector.ts";

/** Ruby: installed gems. */
export const ruby = defineLanguage({
  name: "ruby",
  ecosystem: "RubyGems",
  repository: "rubygems",
  fileDetectors: [rubyDetector],
  versions: gemVersions,
  purl: ["gem"],
  assesses: ["ruby"],
});
