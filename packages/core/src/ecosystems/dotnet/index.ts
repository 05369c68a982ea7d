import { coalesceFiles } from "../../index/coalesce-files.ts";
import { languageKey } from "../../model/package.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { nugetVersions } from "../../versions/nuget/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { withStatedDetails } from "../language/stated-details.ts";
import { withoutListed } from "../language/without-listed.ts";
import { assemblyDetector } from "./assembly-detector.ts";
import { bundleDetector } from "./bundle-detector.ts";
import { dotnetDetector, nugetArchiveDetector, nugetFolderDetector } from "./detector.ts";
import { dotnetEvidence } from "./evidence.ts";
import { dotnetDependencies, frameworksOf, runtimeConfigDetector } from "./frameworks.ts";
import { dotnetLockFiles } from "./lock-files.ts";

const language = defineLanguage({
  name: "dotnet",
  ecosystem: "NuGet",
  repository: "nuget",
  fileDetectors: [dotnetDetector, bundleDetector, nugetFolderDetector, nugetArchiveDetector, assemblyDetector],
  lockFileDetectors: dotnetLockFiles,
  versions: nugetVersions,
  evidence: dotnetEvidence,
  dependencies: dotnetDependencies,
  purl: ["nuget"],
  assesses: ["dotnet"],
});

/** .NET: NuGet packages of applications, and assemblies that no application lists. */
export const dotnet: Ecosystem = {
  ...language,
  detailDetectors: [runtimeConfigDetector],
  coalesce: withStatedDetails(withoutListed(coalesceFiles({ name: "nuget", key: languageKey })), frameworksOf),
};
