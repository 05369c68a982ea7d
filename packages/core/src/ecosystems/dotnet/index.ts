import { coalesceFiles } from "../../index/coalesce-files.ts";
import { languageKey } from "../../model/package.ts";
import type { Coalescer, EcosystemLayer, ImageView } from "../../plugins/coalescer.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Finding } from "../../plugins/finding.ts";
import { nugetVersions } from "../../versions/nuget/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { assemblyDetector } from "./assembly-detector.ts";
import { bundleDetector } from "./bundle-detector.ts";
import { dotnetDetector } from "./detector.ts";
import { dotnetEvidence } from "./evidence.ts";
import { dotnetLockFiles } from "./lock-files.ts";

const language = defineLanguage({
  name: "dotnet",
  ecosystem: "NuGet",
  repository: "nuget",
  fileDetectors: [dotnetDetector, bundleDetector, assemblyDetector],
  lockFileDetectors: dotnetLockFiles,
  versions: nugetVersions,
  evidence: dotnetEvidence,
  purl: ["nuget"],
  assesses: ["dotnet"],
});

/** .NET: NuGet packages of applications, and assemblies that no application lists. */
export const dotnet: Ecosystem = {
  ...language,
  coalesce: withoutListed(coalesceFiles({ name: "nuget", key: languageKey })),
};

/** Wraps a coalescer so that it does not get packages found in a file that a document of the finished image lists. */
function withoutListed(coalesce: Coalescer): Coalescer {
  return (layers, image) => {
    const listed = listedFiles(layers, image);
    const isListed = (finding: Finding) => finding.kind === "package" && listed.has(finding.packageDb);
    return coalesce(
      layers.map((layer) => ({ ...layer, findings: layer.findings.filter((finding) => !isListed(finding)) })),
      image,
    );
  };
}

function listedFiles(layers: readonly EcosystemLayer[], image: ImageView): ReadonlySet<string> {
  return new Set(
    layers.flatMap(({ findings }, index) =>
      findings.flatMap((each) => (each.kind === "listing" && image.survives(each.path, index) ? each.files : [])),
    ),
  );
}
