import { coalesceFiles } from "../../index/coalesce-files.ts";
import { type LanguageRules, languageMatcher } from "../../match/language-matcher.ts";
import type { UnassessedKind } from "../../model/index-report.ts";
import { languageKey } from "../../model/package.ts";
import type { DependencyResolver } from "../../plugins/coalescer.ts";
import type { Detector, FileDetector } from "../../plugins/detector.ts";
import type { Ecosystem, LockInstallation, Runtime } from "../../plugins/ecosystem.ts";
import type { EvidenceRule } from "../../plugins/evidence.ts";

/** The detectors, names and version order of one language. */
export interface Language
  extends Pick<
    LanguageRules,
    "ecosystem" | "versions" | "nameOf" | "namesAmong" | "versionOf" | "unreleased" | "findParts"
  > {
  /**
   * What names with a group, vendor or address match, if the rest alone is not enough: packages of different groups may have the same name, so that one
   * without a group is undecided. Absent: a name without a namespace is whole.
   */
  readonly wholeName?: RegExp;
  /** The name of the ecosystem and its matcher. */
  readonly name: string;
  /** The name of the repository of its packages, by which the matcher recognizes them: `pypi`. */
  readonly repository: string;
  /** Detectors of packages that several files together prove. Default: none. */
  readonly detectors?: readonly Detector[];
  readonly fileDetectors: readonly FileDetector[];
  /** See {@link Ecosystem.lockFileDetectors}. */
  readonly lockFileDetectors?: readonly FileDetector[];
  /** See {@link Ecosystem.evidence}. */
  readonly evidence?: readonly EvidenceRule[];
  /** See {@link Ecosystem.installation}. */
  readonly installation?: LockInstallation;
  /** See {@link Ecosystem.dependencies}. */
  readonly dependencies?: DependencyResolver;
  /** See {@link Ecosystem.runtime}. */
  readonly runtime?: Runtime;
  readonly purl: readonly string[];
  readonly assesses: readonly UnassessedKind[];
  /** Increased when a package would be looked up under another name. Default: 1. */
  readonly keysRevision?: number;
}

/**
 * Makes the ecosystem of a language whose packages are found in single files and matched by their names and versions.
 * @example
 * declare const detector: FileDetector;
 * const { gem: versions } = versionSchemes;
 * if (versions === undefined) throw new Error("no such order");
 * const ruby = defineLanguage({
 *   name: "gem",
 *   ecosystem: "RubyGems",
 *   repository: "gem",
 *   fileDetectors: [detector],
 *   versions,
 *   purl: ["gem"],
 *   assesses: [],
 * });
 */
export function defineLanguage(language: Language): Ecosystem {
  const {
    name,
    repository,
    detectors = [],
    fileDetectors,
    lockFileDetectors,
    evidence,
    installation,
    dependencies,
    runtime,
    purl,
    assesses,
    versions,
    wholeName,
    ...rest
  } = language;
  const { keysRevision = 1, ...rules } = rest;
  const named = wholeName === undefined ? {} : namedByGroup(wholeName);
  const matcher = languageMatcher({ ...rules, ...named, name, versions, keysRevision, repository });
  return {
    name,
    detectors,
    fileDetectors,
    lockFileDetectors,
    evidence,
    installation,
    dependencies,
    runtime,
    matchers: [matcher],
    purl,
    versions,
    coalesce: coalesceFiles({ name: repository, key: languageKey }),
    assesses,
  };
}

function namedByGroup(whole: RegExp): Pick<LanguageRules, "nameOf" | "namedBy"> {
  return { nameOf: ({ name }) => (whole.test(name) ? name : undefined), namedBy: "group" };
}
