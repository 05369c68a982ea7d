import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of NuGet. */
export const dotnetEvidence: readonly EvidenceRule[] = [
  { kind: "dotnet", extensions: ["json"], where: /\.deps\.json$/ },
  { kind: "dotnet", mark: "dotnet" },
  { kind: "dotnet", extensions: ["nuspec"], where: /(?:^|\/)(?:\.nuget\/packages|NuGetFallbackFolder)\// },
  packedInTar("dotnet", /\.(?:deps\.json|nupkg)$/),
  lockFilesNamed("dotnet", "packages.lock.json", "paket.lock", "project.assets.json"),
  // https://learn.microsoft.com/en-us/nuget/consume-packages/package-references-in-project-files#lock-file-extensibility
  lockFilesLike("dotnet", "json", /(?:^|\/)packages\.[^/]+\.lock\.json$/i),
];
