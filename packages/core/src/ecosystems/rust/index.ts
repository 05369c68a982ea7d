import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { rustDetector } from "./detector.ts";

/** Rust: the packages that programs are built from. */
export const rust = defineLanguage({
  name: "rust",
  ecosystem: "crates.io",
  repository: "crates.io",
  fileDetectors: [rustDetector],
  versions: semverVersions,
  purl: ["cargo"],
  assesses: ["rust"],
});
