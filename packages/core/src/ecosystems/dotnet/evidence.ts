import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** A packed package beside its unpacked files: `.nuget/packages/NAME/VERSION/NAME.VERSION.nupkg`. */
const unpackedBeside = /(?:^|\/)(?:\.nuget\/packages|NuGetFallbackFolder)\/([^/]+)\/([^/]+)\/[^/]+\.nupkg$/i;

/** The package that the folder of a packed one names; undefined if it is in no such folder, so that it is read itself. */
export function nugetPackageOf(path: string): EvidencePackage | undefined {
  const [, name, version] = unpackedBeside.exec(path) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** What shows that there are packages of NuGet. */
export const dotnetEvidence: readonly EvidenceRule[] = [
  { kind: "dotnet", extensions: ["json"], where: /\.deps\.json$/i },
  { kind: "dotnet", mark: "dotnet" },
  { kind: "dotnet", extensions: ["nuspec"], where: /(?:^|\/)(?:\.nuget\/packages|NuGetFallbackFolder)\// },
  { kind: "dotnet", extensions: ["nupkg"], packageOf: nugetPackageOf },
  packedInTar("dotnet", /\.(?:deps\.json|nupkg)$/),
  lockFilesNamed("dotnet", "packages.config", "packages.lock.json", "paket.lock", "project.assets.json"),
  // https://learn.microsoft.com/en-us/nuget/consume-packages/package-references-in-project-files#lock-file-extensibility
  lockFilesLike("dotnet", "json", /(?:^|\/)packages\.[^/]+\.lock\.json$/i),
  // https://learn.microsoft.com/en-us/nuget/reference/packages-config
  lockFilesLike("dotnet", "config", /(?:^|\/)packages\.[^/]+\.config$/i),
];
