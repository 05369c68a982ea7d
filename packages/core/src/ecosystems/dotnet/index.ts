import { nugetVersions } from "../../versions/nuget/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { dotnetDetector } from "./detector.ts";
import { dotnetLockFiles } from "./lock-files.ts";

/** .NET: packages of NuGet that applications bring. */
export const dotnet = defineLanguage({
  name: "dotnet",
  ecosystem: "NuGet",
  repository: "nuget",
  fileDetectors: [dotnetDetector],
  lockFileDetectors: dotnetLockFiles,
  versions: nugetVersions,
  purl: ["nuget"],
  assesses: ["dotnet"],
});
