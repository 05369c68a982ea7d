import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { swiftDetector } from "./detector.ts";
import { swiftEvidence } from "./evidence.ts";
import { swiftLockFiles } from "./lock-files.ts";

/** Swift packages that projects have resolved or checked out. Installed programs do not name their packages. */
export const swift = defineLanguage({
  name: "swift",
  ecosystem: "SwiftURL",
  repository: "swift",
  fileDetectors: [swiftDetector],
  lockFileDetectors: swiftLockFiles,
  versions: semverVersions,
  wholeName: /^[^/]+\.[^/]+\//, // the address of a repository begins with a host,
  keysRevision: 3,
  evidence: swiftEvidence,
  purl: ["swift"],
  assesses: ["swift"],
});
