import { ownRelease } from "../distributions/shared/find.ts";
import type { PackagingSystem, Release } from "../distributions/shared/known-distribution.ts";
import { findStatedDistribution, parseStatedRelease, versionOf } from "../distributions/shared/stated-release.ts";
import { ScanError } from "../errors.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import { withoutUndefined } from "../without-undefined.ts";
import type { Distribution } from "./distribution.ts";
import { type LanguagePurl, languagePurls } from "./language-purls.ts";
import { languageKey, type Package, type PackageRepository } from "./package.ts";
import { isPlaceholder, keyPackage } from "./package-name.ts";
import { type PackageUrl, parsePurl, writtenPurlName } from "./purl.ts";
import { qualifiersEntry } from "./purl-qualifiers.ts";
import { toolPurlNames, toolPurlTypes, toolQualifiers } from "./sbom-tools.ts";

/** A package with its distribution and repositories, as far as a package URL states them. */
export type PurlRecord = Pick<IndexRecord, "distribution" | "repositories"> & { readonly package: Package };

/**
 * The package of a package URL, in the form in which packages of an image are matched. The distribution is taken from the qualifier
 * `distro` (`debian-12`), else from the namespace. Reads package URLs as {@link recordPurl} writes them, and as other tools do.
 *
 * @example
 * purlRecord("pkg:npm/%40babel/core@7.0.0").package.name; // "@babel/core"
 * @throws ScanError `malformed_purl` where the text is not a package URL, or its type is not known
 */
export function purlRecord(text: string): PurlRecord {
  const written = parsePurl(text);
  const purl = { ...written, ...toolPurlTypes.get(written.type) };
  const language = languageRecord(purl, text);
  if (language !== undefined) return language;
  if (!isKnownPurlType(purl.type)) {
    const known = [...distributionTypes.keys(), ...languageTypes].sort();
    throw new ScanError(
      "malformed_purl",
      `package URL: expected one of the types ${known.join(", ")}, found ${purl.type}`,
    );
  }
  const distribution = ownReleaseOf(purl.type, distributionOf(purl));
  return {
    package: packageOf(purl),
    repositories: [],
    distribution,
  };
}

const distributionTypes: ReadonlyMap<string, PackagingSystem> = new Map([
  ["alpm", "pacman"],
  ["apk", "apk"],
  ["deb", "dpkg"],
  ["ebuild", "portage"],
  ["rpm", "rpm"],
]);
/**
 * The release of a package whose URL has a type; undefined for a release whose packages have another type, which says nothing about this one.
 * @example
 * ownReleaseOf("apk", { did: "debian", versionId: "12" }); // undefined
 */
export function ownReleaseOf<Found extends Release>(type: string, release: Found | undefined): Found | undefined {
  return ownRelease(distributionTypes.get(toolPurlTypes.get(type)?.type ?? type), release);
}

const languageTypes: ReadonlySet<string> = new Set([...languagePurls.values()].map(({ type }) => type));

/**
 * Whether {@link purlRecord} reads package URLs of a type.
 * @example
 * isKnownPurlType("oci"); // false: an image is not a package
 */
export function isKnownPurlType(type: string): boolean {
  return distributionTypes.has(type) || languageTypes.has(type) || toolPurlTypes.has(type);
}

/** Whether a package URL names a key of signatures, which rpm and tools list with the packages. */
export function isSigningKey({ type, name }: Pick<PackageUrl, "name" | "type">): boolean {
  return type === "rpm" && name === keyPackage;
}

/** Types whose names are case-sensitive in advisories, although the specification lower-cases them in package URLs. */
const caseSensitive: ReadonlySet<string> = new Set(["golang", "npm"]);

function languageRecord(
  { type, namespace, name, version = "", qualifiers }: PackageUrl,
  text: string,
): PurlRecord | undefined {
  for (const [repository, language] of languagePurls) {
    if (language.type !== type) continue;
    const written = caseSensitive.has(type) ? writtenPurlName(text) : nameOf({ namespace, name }, language);
    const full = ownNames.get(type)?.(written) ?? written;
    const known = toolPurlNames.get(`${type}/${full}`);
    const arch = language.arch === undefined ? undefined : qualifiers[language.arch];
    const own = (language.qualifiers ?? []).map((each) => [each, qualifiers[each] ?? ""]);
    const repositories: readonly PackageRepository[] = [
      { id: "1", name: repository, key: languageKey },
      ...qualifiersEntry(Object.fromEntries(own)).map((entry) => ({ id: "2", ...entry })),
    ];
    return {
      package: {
        id: "1",
        name: known ?? full,
        version: known ? withoutPrefix(version) : version,
        kind: "BINARY",
        arch,
      },
      repositories,
    };
  }
  return undefined;
}

/**
 * The name of a package in what tools write for it, by type: Go's cache of modules has `!m` for `M`, and the extras of a requirement in Python are no part of the name.
 * @see https://go.dev/ref/mod#module-cache
 */
const ownNames: ReadonlyMap<string, (written: string) => string> = new Map([
  ["golang", (written) => written.replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase())],
  ["pypi", (written) => written.replace(/\[[^[\]]*\]$/, "")],
]);

/** `1.20.0` of `v1.20.0` and `go1.20.0`, as Go's standard library has its versions. */
function withoutPrefix(version: string): string {
  return version.replace(/^(?:go|v)(?=\d)/, "");
}

/** Types of which a name without its namespace is not whole. Where a placeholder is the namespace, or the name, the whole name is not known. */
const grouped: ReadonlySet<string> = new Set(["composer", "maven"]);

/** Syft names a Swift package twice: `pkg:swift/github.com/apple/swift-nio.git/swift-nio`. The ending `.git` is of the address of its repository. */
function nameOf(
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
  { type, separator = "/", hasVendors }: LanguagePurl,
): string {
  if (namespace === undefined || hasVendors === true) return name;
  if (grouped.has(type) && [namespace, name].some(isPlaceholder)) return name;
  const isSwift = type === "swift";
  if (isSwift && namespace.endsWith(".git")) return namespace.slice(0, -".git".length);
  return `${namespace}${separator}${isSwift ? name.replace(/\.git$/, "") : name}`;
}

function packageOf({ type, namespace, name, version = "", qualifiers }: PackageUrl): Package {
  const { arch, epoch } = qualifiers;
  const own = withEpochs.has(type) ? withEpoch(version, epoch) : version;
  const source = sourceOf(type, qualifiers, own);
  const label = firstOf(qualifiers, toolQualifiers.modules);
  const module = label === undefined ? undefined : moduleStream(label);
  return {
    id: "1",
    name: type === "ebuild" && namespace !== undefined ? `${namespace}/${name}` : name,
    version: own,
    kind: "BINARY",
    arch,
    module,
    source,
  };
}

/** Types whose versions may begin with an epoch: Debian's policy §5.6.12, rpm's `Epoch`, pacman's `epoch`. */
const withEpochs: ReadonlySet<string> = new Set(["alpm", "deb", "rpm"]);

/** A version with its epoch, which tools write before the version, into a qualifier, or both; some write rpm's `(none)`. */
function withEpoch(version: string, epoch = ""): string {
  return !/^0*[1-9]\d*$/.test(epoch) || version === "" || /^\d+:/.test(version)
    ? version
    : `${Number(epoch)}:${version}`;
}

/** `name:stream` of the label of a module, to which tools add its version and context. */
export function moduleStream(label: string): string | undefined {
  return /^[^:]+:[^:]+/.exec(label)?.[0];
}

type Qualifiers = PackageUrl["qualifiers"];

/** The first of the qualifiers with one of the names. */
function firstOf(qualifiers: Qualifiers, names: readonly string[]): string | undefined {
  const name = names.find((each) => qualifiers[each] !== undefined);
  return name === undefined ? undefined : qualifiers[name];
}

function sourceOf(type: string, qualifiers: Qualifiers, own: string): Package | undefined {
  const text = firstOf(qualifiers, toolQualifiers.sources);
  if (text === undefined) return undefined;
  const version = firstOf(qualifiers, toolQualifiers.sourceVersions);
  return { id: "2", kind: "SOURCE", ...parseSource(type, text, own), ...(version !== undefined && { version }) };
}

/** Parses `openssl`, `attr@1:2.5.1-4`, or the name of a source rpm. That has no epoch, so a version equal to the package's gets its epoch. */
export function parseSource(type: string, text: string, own: string): Pick<Package, "name" | "version"> {
  const rpm = type === "rpm" ? /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(text) : undefined;
  if (rpm?.[1] !== undefined && rpm[2] !== undefined) {
    return { name: rpm[1], version: rpm[2] === own.replace(/^\d+:/, "") ? own : rpm[2] };
  }
  const at = text.indexOf("@");
  return at < 0 ? { name: text, version: own } : { name: text.slice(0, at), version: text.slice(at + 1) };
}

/** The release, which tools write as one text, apart, as the code name of a distribution that the namespace names, or as Red Hat's repository. */
function distributionOf({ type, namespace, qualifiers }: PackageUrl): Distribution | undefined {
  const { distro = releaseApart(qualifiers) ?? "", distro_name = "", repository_id = "" } = qualifiers;
  const stated = parseStatedRelease(distro);
  if (stated !== undefined) return { id: "1", ...stated };
  if (namespace === undefined) return undefined;
  const [, ofRepository = ""] = redHatRepository.exec(repository_id) ?? [];
  const known = findStatedDistribution(namespace);
  if (known === undefined && type === "ebuild") return undefined; // the namespace is a category: `sys-libs`
  const named = known ?? { did: namespace };
  const release = distro.toLowerCase().startsWith(`${namespace}-`) ? distro.slice(namespace.length + 1) : distro; // of an unknown one
  return {
    id: "1",
    ...named,
    ...withoutUndefined(versionOf(release || ofRepository || (type === "deb" ? distro_name : ""))),
  };
}

/** `rhel-9-for-x86_64-baseos-rpms`, `ubi-9-appstream-rpms`, `rhocp-4.16-for-rhel-9-x86_64-rpms`. */
const redHatRepository = /(?:^|-)(?:rhel|ubi)-(\d+)(?:\.\d+)?-/;

function releaseApart(qualifiers: Qualifiers): string | undefined {
  const row = toolQualifiers.releases.find(({ id }) => qualifiers[id] !== undefined);
  return row && `${qualifiers[row.id]}-${firstOf(qualifiers, row.versions) ?? ""}`;
}
