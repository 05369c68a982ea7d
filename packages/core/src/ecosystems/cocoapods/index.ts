import { gemVersions } from "../../versions/gem/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { podfileLockDetector, podsDetector } from "./detectors.ts";
import { cocoapodsEvidence } from "./evidence.ts";

/** Pods of CocoaPods, which are libraries of Swift and Objective-C. Their versions are ordered like those of gems. */
export const cocoapods = defineLanguage({
  name: "cocoapods",
  ecosystem: "CocoaPods",
  repository: "cocoapods",
  fileDetectors: [podsDetector],
  lockFileDetectors: [podfileLockDetector],
  versions: gemVersions,
  evidence: cocoapodsEvidence,
  purl: ["cocoapods"],
  assesses: ["swift"],
});
