import { allDistributions } from "../distributions/all.ts";
import { ScanError } from "../errors.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { Distribution } from "./distribution.ts";
import { languagePurls } from "./language-purls.ts";
import { languageKey, type Package, type PackageRepository } from "./package.ts";
import { type PackageUrl, parsePurl, writtenPurlName } from "./purl.ts";

/** A package with its distribution and repositories, as far as a package URL states them. */
export type PurlRecord = Pick<IndexRecord, "distribution" | "repositories"> & { readonly package: Package };

/**
 * The package of a package URL, in the form in which packages of an image are matched. The distribution is taken from the qualifier
 * `distro` (`debian-12`), else from the namespace. Reads `upstream` and `epoch` as {@link recordPurl} writes them.
 *
 * @example
 * purlRecord("pkg:npm/%40babel/core@7.0.0").package.name; // "@babel/core"
 * @throws ScanError `malformed_purl` where the text is not a package URL, or its type is not known
 */
export function purlRecord(text: string): PurlRecord {
  const purl = parsePurl(text);
  const language = languageRecord(purl, text);
  if (language !== undefined) return language;
  if (!isKnownPurlType(purl.type)) {
    const known = [...distributionTypes, ...languageTypes].sort();
    throw new ScanError(
      "malformed_purl",
      `package URL: expected one of the types ${known.join(", ")}, found ${purl.type}`,
    );
  }
  const distribution = distributionOf(purl);
  return {
    package: packageOf(purl),
    repositories: [],
    ...(distribution !== undefined && { distribution }),
  };
}

const distributionTypes: ReadonlySet<string> = new Set(["alpm", "apk", "deb", "ebuild", "rpm"]);
const languageTypes: ReadonlySet<string> = new Set([...languagePurls.values()].map(({ type }) => type));

/**
 * Whether {@link purlRecord} reads package URLs of a type.
 * @example
 * isKnownPurlType("oci"); // false: an image is not a package
 */
export function isKnownPurlType(type: string): boolean {
  return distributionTypes.has(type) || languageTypes.has(type);
}

/** Types whose names are case-sensitive in advisories, although the specification lower-cases them in package URLs. */
const caseSensitive: ReadonlySet<string> = new Set(["golang", "npm"]);

function languageRecord({ type, namespace, name, version = "" }: PackageUrl, text: string): PurlRecord | undefined {
  for (const [repository, language] of languagePurls) {
    if (language.type !== type) continue;
    const { separator = "/" } = language;
    const normal = namespace === undefined ? name : `${namespace}${separator}${name}`;
    const full = caseSensitive.has(type) ? writtenPurlName(text) : normal;
    const repositories: readonly PackageRepository[] = [{ id: "1", name: repository, key: languageKey }];
    return { package: { id: "1", name: full, version, kind: "BINARY" }, repositories };
  }
  return undefined;
}

function packageOf({ type, namespace, name, version = "", qualifiers }: PackageUrl): Package {
  const { arch, epoch, rpmmod, upstream } = qualifiers;
  const own = epoch === undefined || epoch === "0" || type !== "rpm" ? version : `${epoch}:${version}`;
  const source = upstream === undefined ? undefined : sourceOf(type, upstream, { version, own });
  return {
    id: "1",
    name: type === "ebuild" && namespace !== undefined ? `${namespace}/${name}` : name,
    version: own,
    kind: "BINARY",
    ...(arch !== undefined && { arch }),
    ...(rpmmod !== undefined && { module: rpmmod }),
    ...(source !== undefined && { source }),
  };
}

interface Versions {
  /** The version in the package URL, without an epoch. */
  readonly version: string;
  /** The version of the package, with the epoch. */
  readonly own: string;
}

/** Parses `upstream`: `openssl`, `attr@1:2.5.1-4`, or the name of a source rpm. That has no epoch, so a version equal to the package's gets its epoch. */
function sourceOf(type: string, upstream: string, { version, own }: Versions): Package {
  const id = "2";
  const rpm = type === "rpm" ? /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(upstream) : undefined;
  if (rpm?.[1] !== undefined && rpm[2] !== undefined) {
    return { id, name: rpm[1], version: rpm[2] === version ? own : rpm[2], kind: "SOURCE" };
  }
  const at = upstream.indexOf("@");
  if (at < 0) return { id, name: upstream, version: own, kind: "SOURCE" };
  return { id, name: upstream.slice(0, at), version: upstream.slice(at + 1), kind: "SOURCE" };
}

/** The names of distributions in qualifiers: `ID`, or the namespace as Trivy writes it. Longest first, so that `opensuse-leap` is not read as `opensuse`. */
const byLongestName = allDistributions
  .flatMap(({ did, purlNamespace = did }) => [
    { name: did, did },
    { name: purlNamespace, did },
  ])
  .toSorted((a, b) => b.name.length - a.name.length);

function distributionOf({ namespace, qualifiers: { distro = "" } }: PackageUrl): Distribution | undefined {
  const known = byLongestName.find(({ name }) => distro === name || distro.startsWith(`${name}-`));
  const named = known?.did ?? didOfNamespace(namespace);
  if (named === undefined) return undefined;
  const release = known === undefined ? distro : distro.slice(known.name.length + 1);
  if (release === "") return { id: "1", did: named };
  return { id: "1", did: named, ...(/^\d/.test(release) ? { versionId: release } : { versionCodeName: release }) };
}

function didOfNamespace(namespace: string | undefined): string | undefined {
  if (namespace === undefined) return undefined;
  return allDistributions.find(({ did, purlNamespace = did }) => purlNamespace === namespace)?.did ?? namespace;
}
