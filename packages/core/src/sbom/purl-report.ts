import { ScanError } from "../errors.ts";
import { listReport, type StatedPackage } from "../index/list-report.ts";
import type { Digest } from "../model/digest.ts";
import type { IndexReport } from "../model/index-report.ts";
import { type FoundPackage, namePatternKey, type Package, thirdPartyKey } from "../model/package.ts";
import { type PackageUrl, parsePurl, writtenPurlName } from "../model/purl.ts";
import { isKnownPurlType, isSigningKey, purlRecord } from "../model/purl-record.ts";
import type { OptionalFact } from "../model/sbom-tools.ts";
import { nameWithoutCase } from "./name-without-case.ts";
import { thirdPartyOf } from "./third-party.ts";
import { type DocumentPackage, withUnstatedFacts } from "./unstated-facts.ts";

/**
 * The index report of a list of package URLs, each with a version.
 *
 * @param digest of the list
 * A package of a type that is not known has no advisories, so it is undecided, and so is one whose URL lacks what its type demands (a namespace of `swift`). Keys of rpm (`gpg-pubkey`) are left out.
 * @throws ScanError `malformed_purl` for an invalid package URL, or one without a version
 * @example
 * const digest = parseDigest(`sha256:${"0".repeat(64)}`);
 * const report = purlReport(["pkg:npm/lodash@4.17.20", "pkg:deb/debian/zlib1g@1:1.2.13-1?distro=debian-12&upstream=zlib"], digest);
 */
export function purlReport(purls: readonly string[], digest: Digest): IndexReport {
  const listed = purls.filter((purl) => {
    const parts = findPurl(purl);
    return parts === undefined || !isSigningKey(parts);
  });
  const packages = withUnstatedFacts(listed.map(listedPackage), {
    isProven: (fact, type) => namedAlone.has(fact) && !(fact === "group" && type === "golang"),
    hasSeveral: false,
    guessesGroups: false,
  });
  return listReport({ digest, packages: packages.map(({ purl: _, statesEpoch: __, ...each }) => each), problems: [] });
}

/**
 * Who names a package of a language alone knows its group, and means one that no package of the distribution owns. The namespace of a package of a
 * distribution is its vendor.
 * @see https://github.com/package-url/purl-spec/blob/main/types-doc/deb-definition.md
 */
const namedAlone: ReadonlySet<OptionalFact> = new Set(["group", "owner", "maker"]);

function listedPackage(purl: string): StatedPackage & Pick<DocumentPackage, "statesEpoch"> & { readonly purl: string } {
  const parts = findPurl(purl);
  if (parts === undefined) {
    const [, version = ""] = /@([^@?#/]+)(?:[?#]|$)/.exec(purl) ?? [];
    const found: FoundPackage = { name: writtenPurlName(purl), version, kind: "BINARY" };
    return { purl, name: purl, package: found, packageDb: purl, repositories: [] };
  }
  const { type, namespace, name, version = "", qualifiers } = parts;
  if (!isKnownPurlType(type)) {
    const full = namespace === undefined ? name : `${namespace}/${name}`;
    return { purl, name: purl, package: { name: full, version, kind: "BINARY" }, packageDb: purl, repositories: [] };
  }
  const { package: found, distribution, repositories } = purlRecord(purl);
  if (found.version === "")
    throw new ScanError("malformed_purl", `${purl}: expected a version to judge by: NAME@VERSION`);
  return {
    purl,
    statesEpoch: /^\d{1,10}$/.test(qualifiers.epoch ?? "") ? true : undefined,
    name: purl,
    package: withoutIds(found),
    packageDb: purl,
    repositories: [
      ...repositories.map(({ id: _, ...repository }) => repository),
      ...makerOf(type, found.version, distribution),
      ...nameWithoutCase(type, found.name).map((pattern) => ({ name: pattern, key: namePatternKey })),
    ],
    distribution: distribution && withoutId(distribution),
  };
}

/** The parts of a package URL; undefined for one that its type does not allow. @throws ScanError for a text that is none */
function findPurl(purl: string): PackageUrl | undefined {
  try {
    return parsePurl(purl);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    writtenPurlName(purl);
    return undefined;
  }
}

/** The version alone may show who made the package. */
function makerOf(
  type: string,
  version: string,
  distribution: StatedPackage["distribution"],
): StatedPackage["repositories"] {
  const name = thirdPartyOf({ type, version, maker: undefined, distribution });
  return name === undefined ? [] : [{ name, key: thirdPartyKey }];
}

function withoutIds({ id: _, source, ...found }: Package): FoundPackage {
  return source === undefined ? found : { ...found, source: withoutIds(source) };
}

function withoutId<Value extends { readonly id: string }>({ id: _, ...rest }: Value): Omit<Value, "id"> {
  return rest;
}
