import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rustDetector } from "./detector.ts";
import { rustEvidence } from "./evidence.ts";
import { rustLockFiles } from "./lock-files.ts";

/** Rust: the packages of programs. */
export const rust = defineLanguage({
  name: "rust",
  ecosystem: "crates.io",
  repository: "crates.io",
  fileDetectors: [rustDetector],
  lockFileDetectors: rustLockFiles,
  versions: semverVersions,
  evidence: rustEvidence,
  purl: ["cargo"],
  assesses: ["rust"],
});
