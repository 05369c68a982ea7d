import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { CoalescedPackage } from "../../plugins/coalescer.ts";
import { compare, gemVersions, valid } from "../../versions/gem/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rubyApplicationDetector } from "./application-detector.ts";
import { rubyDetector } from "./detector.ts";
import { rubyEvidence } from "./evidence.ts";
import { gemfileDetector } from "./gemfile-detector.ts";
import { rubyGitDetector } from "./git-detector.ts";
import { rubyLockFiles } from "./lock-files.ts";

/** An installation of Ruby has its gems in `lib/ruby`. */
function placesFor(packageDb: string): readonly string[] {
  const [, prefix] = /^(.*?)lib\/ruby\/gems\//.exec(packageDb) ?? [];
  return prefix === undefined ? [] : [`${prefix}bin/ruby`];
}

function nameIn(need: string): string {
  return need.split(" (", 1)[0] ?? need;
}

/** Whether a gem has a version that a need asks for. @see https://guides.rubygems.org/patterns/#declaring-dependencies */
function meets({ package: { version } }: CoalescedPackage, need: string): boolean {
  const bounds = need.slice(nameIn(need).length + 2, -1).split(",");
  return bounds.every((each) => {
    const [, relation = "=", bound = ""] = /^([!<=>~]{0,2}) {0,4}(\d.*)$/.exec(each.trim()) ?? [];
    if (bound === "" || !valid(version) || !valid(bound)) return true;
    const order = compare(version, bound);
    switch (relation || "=") {
      case "=":
        return order === 0;
      case "!=":
        return order !== 0;
      case "<":
        return order < 0;
      case "<=":
        return order <= 0;
      case ">":
        return order > 0;
      case "~>":
        return order >= 0 && compare(releaseOf(version), nextLine(bound)) < 0;
      default:
        return order >= 0;
    }
  });
}

/** The numbers of a version before its first letter. */
function releaseOf(version: string): string {
  return /^\d+(?:\.\d+)*(?![\da-z])/i.exec(version)?.[0] ?? "0";
}

/** The version that `~> BOUND` is below: 1.5 for 1.4.2, and 2 for 1.4 and for 1. */
function nextLine(bound: string): string {
  const numbers = releaseOf(bound).split(".");
  const line = numbers.length > 1 ? numbers.slice(0, -1) : numbers;
  return [...line.slice(0, -1), BigInt(line.at(-1) ?? "0") + 1n].join(".");
}

/** The folder of gems of one project (`bundle install --path vendor/bundle`); empty for those of an installation of Ruby, which all projects can use. */
function projectOf({ packageDb }: CoalescedPackage): string {
  return /^(.*?(?:^|\/)(?:vendor\/bundle|vendor\/cache|\.bundle))\//.exec(packageDb)?.[1] ?? "";
}

/** Finds what gems need as RubyGems does: the newest of the installed versions that meet the need, a prerelease only if the need names one or nothing else is there. */
const gemDependencies = dependenciesByName({
  namesIn: (need) => [nameIn(need)],
  accepts: (found, need, from) => meets(found, need) && ["", projectOf(from)].includes(projectOf(found)),
  prefers(one, other, need) {
    const [a, b] = [one.package.version, other.package.version];
    const [isPre, isOtherPre] = [a, b].map(
      (version) => /[a-z]/i.test(version) && !/[ .\d][a-z]/i.test(need.slice(nameIn(need).length)),
    );
    if (isPre !== isOtherPre) return isPre === true ? 1 : -1;
    return valid(a) && valid(b) ? compare(b, a) : 0;
  },
});

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
