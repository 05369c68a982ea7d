import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { appDetector, applicationDependencies, archiveDetector } from "./app-detector.ts";
import { erlangEvidence } from "./evidence.ts";
import { erlangLockFiles, mixInstallation } from "./lock-files.ts";
import { otpApplications } from "./otp-applications.ts";

/** Installed applications of Erlang and Elixir, which are packages on Hex. */
export const erlang = defineLanguage({
  name: "erlang",
  ecosystem: "Hex",
  repository: "hex",
  fileDetectors: [appDetector("erlang-app", (name) => !otpApplications.has(name)), archiveDetector],
  lockFileDetectors: erlangLockFiles,
  versions: semverVersions,
  evidence: erlangEvidence,
  installation: mixInstallation,
  dependencies: applicationDependencies,
  purl: ["hex"],
  assesses: ["erlang", "elixir"],
});
