import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { swiftLockFiles } from "./lock-files.ts";

/** Swift: what projects have resolved. Nothing installed proves a package of Swift. */
export const swift = defineLanguage({
  name: "swift",
  ecosystem: "SwiftURL",
  repository: "swift",
  fileDetectors: [],
  lockFileDetectors: swiftLockFiles,
  versions: semverVersions,
  purl: ["swift"],
  assesses: ["swift"],
});
