import { findDistribution, findLikeDistribution } from "../distributions/shared/find.ts";
import { ScanError } from "../errors.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { Distribution } from "./distribution.ts";
import { type LanguagePurl, languagePurls } from "./language-purls.ts";
import { type FoundPackage, type Package, redhatContainerRepository } from "./package.ts";
import { formatPurl, type Purl } from "./purl.ts";
import { qualifiersOf } from "./purl-qualifiers.ts";

/**
 * The package URL of a distribution or language package of a report; undefined where the package has neither a known
 * distribution nor a known language, or where its name is not valid in a package URL or too long for one.
 *
 * @example
 * const found = { id: "1", name: "openssl", version: "3.0.11-1", kind: "BINARY" } as const;
 * const distribution = { id: "1", did: "debian", versionId: "12" };
 * recordPurl({ package: found, distribution, repositories: [] }); // "pkg:deb/debian/openssl@3.0.11-1?distro=debian-12"
 */
export function recordPurl(record: Pick<IndexRecord, "package" | "distribution" | "repositories">): Purl | undefined {
  try {
    if (record.repositories.some(({ name }) => name === redhatContainerRepository))
      return containerPurl(record.package);
    const language = languageOf(record);
    return language === undefined ? distributionPurl(record) : languagePurl(record, language);
  } catch (error) {
    if (error instanceof ScanError && error.code === "malformed_purl") return undefined;
    throw error;
  }
}

/** A container of Red Hat, by its repository and tag. The container itself does not contain its digest. */
function containerPurl({ name, version, arch = "" }: Package): Purl {
  const repository_url = `registry.access.redhat.com/${name}`;
  const qualifiers = { arch, repository_url, tag: version };
  return formatPurl({ type: "oci", name: name.slice(name.lastIndexOf("/") + 1), qualifiers });
}

function languageOf({ repositories }: Pick<IndexRecord, "repositories">): LanguagePurl | undefined {
  for (const { name = "" } of repositories) {
    const language = languagePurls.get(name);
    if (language !== undefined) return language;
  }
  return undefined;
}

function languagePurl(
  { package: { name, version }, repositories }: Pick<IndexRecord, "package" | "repositories">,
  { type, separator }: LanguagePurl,
): Purl {
  const at = separator === undefined ? -1 : name.lastIndexOf(separator);
  const namespace = name.slice(0, Math.max(0, at)).replaceAll(":", "/");
  return formatPurl({ type, namespace, name: name.slice(at + 1), version, qualifiers: qualifiersOf(repositories) });
}

type Installed = Pick<IndexRecord, "package" | "distribution">;

function distributionPurl({ package: found, distribution }: Installed): Purl | undefined {
  const packaging = distribution && findLikeDistribution(distribution)?.packaging;
  switch (packaging) {
    case "apk":
    case "rpm":
      return packagePurl(packaging, found, distribution);
    case "dpkg":
      return packagePurl("deb", found, distribution);
    case "opkg":
      return plainPurl("opkg", found, distribution);
    case "pacman":
      return plainPurl("alpm", found, distribution);
    case "portage":
      return plainPurl("ebuild", found, distribution);
    case "nix":
      return plainPurl("nix", found, distribution);
    default:
      return undefined;
  }
}

function plainPurl(type: string, { name, version, arch = "" }: Package, distribution?: Distribution): Purl {
  const at = name.lastIndexOf("/"); // Portage's categories
  const namespace = at < 0 ? (distribution?.did ?? "") : name.slice(0, at);
  return formatPurl({ type, namespace, name: name.slice(at + 1), version, qualifiers: { arch } });
}

/** The package types of distributions. */
type DistributionPurlType = "apk" | "deb" | "rpm";

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
