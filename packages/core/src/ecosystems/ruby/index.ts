import { gemVersions } from "../../versions/gem/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rubyApplicationDetector } from "./application-detector.ts";
import { gemDependencies } from "./dependencies.ts";
import { rubyDetector, rubyGitDetector } from "./detector.ts";
import { rubyEvidence } from "./evidence.ts";
import { gemfileDetector } from "./gemfile-detector.ts";
import { rubyLockFiles } from "./lock-files.ts";

/** An installation of Ruby has its gems in `lib/ruby`. */
function placesFor(packageDb: string): readonly string[] {
  const [, prefix] = /^(.*?)lib\/ruby\/gems\//.exec(packageDb) ?? [];
  return prefix === undefined ? [] : [`${prefix}bin/ruby`];
}

/** Gems of Ruby: installed ones, those that Bundler checked out, and applications. */
export const ruby = defineLanguage({
  name: "ruby",
  ecosystem: "RubyGems",
  repository: "rubygems",
  fileDetectors: [rubyDetector, rubyGitDetector, rubyApplicationDetector, gemfileDetector],
  lockFileDetectors: rubyLockFiles,
  versions: gemVersions,
  evidence: rubyEvidence,
  dependencies: gemDependencies,
  runtime: { program: "ruby", placesFor },
  purl: ["gem"],
  assesses: ["ruby"],
});
