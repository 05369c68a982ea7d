import type { Package } from "../../model/package.ts";
import { golangVersions } from "../../versions/golang/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { goDetector } from "./detector.ts";
import { goLockFiles } from "./lock-files.ts";
import { findParts, standardLibrary, toolchain } from "./parts.ts";

/** Packages of Go itself, whose versions are those of toolchains. */
const goPackages: ReadonlySet<string> = new Set([standardLibrary, toolchain]);

/** Go: the modules of programs. */
export const go = defineLanguage({
  name: "go",
  ecosystem: "Go",
  repository: "go",
  fileDetectors: [goDetector],
  lockFileDetectors: goLockFiles,
  versions: golangVersions,
  versionOf: ({ name, version }: Package) => (goPackages.has(name) && /^\d/.test(version) ? `go${version}` : version),
  findParts,
  purl: ["golang"],
  assesses: ["go"],
});
