import type { Package } from "../../model/package.ts";
import { golangVersions } from "../../versions/golang/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { goDetector } from "./detector.ts";
import { goLockFiles } from "./lock-files.ts";

/** What Go itself brings: its versions are those of toolchains. */
const ofGo: ReadonlySet<string> = new Set(["stdlib", "toolchain"]);

/** Go: the modules that programs are built from. */
export const go = defineLanguage({
  name: "go",
  ecosystem: "Go",
  repository: "go",
  fileDetectors: [goDetector],
  lockFileDetectors: goLockFiles,
  versions: golangVersions,
  versionOf: ({ name, version }: Package) => (ofGo.has(name) && /^\d/.test(version) ? `go${version}` : version),
  purl: ["golang"],
  assesses: ["go"],
});
