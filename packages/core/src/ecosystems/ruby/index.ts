import { gemVersions } from "../../versions/gem/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rubyDetector } from "./detector.ts";
import { rubyGitDetector } from "./git-detector.ts";
import { rubyLockFiles } from "./lock-files.ts";

/** Gems of Ruby: installed ones, and those that Bundler checked out. */
export const ruby = defineLanguage({
  name: "ruby",
  ecosystem: "RubyGems",
  repository: "rubygems",
  fileDetectors: [rubyDetector, rubyGitDetector],
  lockFileDetectors: rubyLockFiles,
  versions: gemVersions,
  purl: ["gem"],
  assesses: ["ruby"],
});
