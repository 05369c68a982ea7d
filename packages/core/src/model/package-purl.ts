import { findDistribution } from "../distributions/shared/find.ts";
import type { Distribution } from "./distribution.ts";
import type { FoundPackage } from "./package.ts";
import { formatPurl, type Purl } from "./purl.ts";

/** The package types of distributions. */
export type DistributionPurlType = "apk" | "deb" | "rpm";

/**
 * The package URL of a distribution's package: `pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12&upstream=openssl`.
 * `upstream` is its source package, where that has another name or version. `epoch` and `rpmmod` are only for rpm.
 * @throws ScanError `malformed_purl` when the package has no name
 * @see https://github.com/package-url/purl-spec/blob/main/types/deb-definition.json
 * @see https://github.com/package-url/purl-spec/blob/main/types/rpm-definition.json
 * @example
 * packagePurl("deb", { name: "zlib1g", version: "1.2", kind: "BINARY" }); // "pkg:deb/zlib1g@1.2"
 */
export function packagePurl(
  type: DistributionPurlType,
  found: FoundPackage,
  distribution?: Omit<Distribution, "id">,
): Purl {
  const { epoch, version } = type === "rpm" ? splitEpoch(found.version) : { epoch: "", version: found.version };
  const did = distribution?.did ?? "";
  return formatPurl({
    type,
    namespace: findDistribution(did)?.purlNamespace ?? did,
    name: found.name,
    version,
    qualifiers: {
      arch: found.arch ?? "",
      distro: distroOf(did, distribution),
      epoch,
      rpmmod: type === "rpm" ? (found.module ?? "") : "",
      upstream: upstreamOf(type, found),
    },
  });
}

function distroOf(did: string, distribution?: Omit<Distribution, "id">): string {
  const release = distribution?.versionId ?? distribution?.versionCodeName ?? "";
  return did === "" || release === "" ? did : `${did}-${release}`;
}

/** The source of an rpm package is named by its file, whose name never has an epoch. */
function upstreamOf(type: DistributionPurlType, { name, version, source }: FoundPackage): string {
  if (source === undefined || (source.name === name && source.version === version)) return "";
  if (type === "rpm") return `${source.name}-${splitEpoch(source.version).version}.src.rpm`;
  return source.version === version ? source.name : `${source.name}@${source.version}`;
}

/** rpm: `[epoch:]version-release`. */
function splitEpoch(version: string): { readonly epoch: string; readonly version: string } {
  const match = /^(\d+):(.*)$/s.exec(version);
  return { epoch: match?.[1] ?? "", version: match?.[2] ?? version };
}
