import type { Coalescer, EcosystemLayer, ImageView } from "../../plugins/coalescer.ts";
import type { Finding } from "../../plugins/finding.ts";

/** Wraps a coalescer so that it does not get packages found in a file that a document of the finished image lists. */
export function withoutListed(coalesce: Coalescer): Coalescer {
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
