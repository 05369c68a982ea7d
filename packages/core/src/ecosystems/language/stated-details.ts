import type { PackageDetails } from "../../model/package-details.ts";
import type { Coalescer } from "../../plugins/coalescer.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { withoutUndefined } from "../../without-undefined.ts";

/**
 * Wraps a coalescer so that packages also have what other files of the finished image say about them (`details` findings). What a package states itself comes first;
 * what both say it needs is joined.
 * @param keysOf the names under which files may say something about a package: `of` of their findings
 */
export function withStatedDetails(
  coalesce: Coalescer,
  keysOf: (finding: PackageFinding) => readonly string[],
): Coalescer {
  return (layers, image) => {
    const stated = new Map<string, PackageDetails>();
    for (const [index, { findings }] of layers.entries())
      for (const each of findings)
        if (each.kind === "details" && image.survives(each.path, index)) stated.set(each.of, each.details);
    if (stated.size === 0) return coalesce(layers, image);
    const joined = (finding: Finding) =>
      finding.kind === "package"
        ? keysOf(finding).reduce((found, key) => join(found, stated.get(key)), finding)
        : finding;
    return coalesce(
      layers.map((layer) => ({ ...layer, findings: layer.findings.map(joined) })),
      image,
    );
  };
}

function join(finding: PackageFinding, stated: PackageDetails | undefined): PackageFinding {
  if (stated === undefined) return finding;
  const { details = {} } = finding;
  const requires = [details, stated].flatMap((each) => each.requires ?? []);
  const isKnown = details.requires !== undefined || stated.requires !== undefined;
  return { ...finding, details: { ...stated, ...withoutUndefined(details), requires: isKnown ? requires : undefined } };
}
