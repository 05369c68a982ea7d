/**
 * The catalog of endoflife.date: products, their releases, and the end of fixes for each release.
 *
 * ```
 * { result: [{ name, label?, aliases?: [name], identifiers?: [{ type: "purl" | "cpe" | …, id }],
 *     releases: [{ name, eolFrom?: date, eoesFrom?: date, … }] }] }
 * ```
 *
 * The document of one product, `{ result: { name, … } }`, is read likewise. `eolFrom` is the end of general support, `eoesFrom` the end of extended support.
 * @see https://endoflife.date/docs/api/v1/
 */
import { findDistribution, releaseNames } from "../../distributions/shared/find.ts";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { ScanError } from "../../errors.ts";
import { recordItems } from "../../feeds/shared/malformed-feed.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import type { Wfn } from "../../model/cpe/wfn.ts";
import {
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { distributionPackageKey, languageKey, type PackageRepository } from "../../model/package.ts";
import { type PackageUrl, parsePurl } from "../../model/purl.ts";
import { recordPurl } from "../../model/record-purl.ts";
import type { Enricher, EnrichmentRecord, ReleaseEnd } from "../../plugins/enricher.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { catalogUpdater } from "../shared/catalog-updater.ts";

/**
 * Finds the end of security fixes for distributions, languages and other products, in the catalog of endoflife.date. It adds nothing to
 * vulnerabilities. For a distribution's release, the catalog has priority over the engine's own table.
 */
export const eolEnricher: Enricher = {
  name: "eol",
  type: "eol",
  updater: catalogUpdater({
    name: "eol",
    location: "https://endoflife.date/api/v1/products/full",
    scope: { partBytes: {}, sharedBytes: 3e6 },
    revision: 1,
    maxBytes: 64 * 1024 ** 2, // it has three million
    ofFolder: "all",
    records: lifecycleRecords,
  }),
  tags: () => [],
  enrich: () => undefined,
  lifecycles: {
    distributionTags: (release) => distributionCases(release).map(([tag]) => tag),
    endOfDistribution,
    packageTags,
    endOfPackage: ({ package: { version } }, records) =>
      endOf(
        records.map(({ record }) => record as unknown as Lifecycle),
        prefixesOf(version),
        "ends",
      ),
  },
};

/** A product to look up, and the names that the release may have there. CentOS Stream is a separate product beside CentOS. */
type DistributionCase = readonly [tag: string, names: readonly string[]];

function distributionCases(release: Release, repositories: readonly PackageRepository[] = []): DistributionCase[] {
  const { did = "", name = "", versionId = "" } = release;
  const product = findDistribution(did)?.endOfLifeProduct ?? did;
  const named = name.toLowerCase().replaceAll(" ", "-");
  const own: DistributionCase = [nameTag(product), releaseNames(release, repositories)];
  if (named === "" || named === product || !named.startsWith(`${did}-`)) return did === "" ? [] : [own];
  return [[nameTag(named), [versionId]], own];
}

function endOfDistribution(
  release: Release,
  repositories: readonly PackageRepository[],
  records: readonly EnrichmentRecord[],
): ReleaseEnd | undefined {
  const days = findDistribution(release.did)?.isExtensionFree === true ? "extendedEnds" : "ends";
  for (const [tag, names] of distributionCases(release, repositories)) {
    const found = records.filter(({ tags }) => tags.includes(tag)).map(({ record }) => record as unknown as Lifecycle);
    if (found.length > 0) return endOf(found, names, days);
  }
  return undefined;
}

/** Names of products whose package URL the catalog does not have, by that package URL. */
const otherProducts: ReadonlyMap<string, string> = new Map([
  ["pkg:golang/stdlib", "go"],
  ["pkg:nuget/Microsoft.AspNetCore.App", "dotnet"],
  ["pkg:nuget/Microsoft.NETCore.App", "dotnet"],
  ["pkg:otp/erts", "erlang"],
]);

/** A package of a distribution has no tags: it gets fixes as long as its distribution does, whatever its upstream release. */
function packageTags(record: IndexRecord): readonly string[] {
  const { repositories, package: found } = record;
  if (repositories.some(({ key }) => key === distributionPackageKey)) return [];
  const cpes = found.cpe === undefined ? [] : cpeTags(found.cpe);
  if (!repositories.some(({ key }) => key === languageKey)) return cpes;
  const purl = recordPurl(record);
  if (purl === undefined) return cpes;
  const tag = purlTag(parsePurl(purl));
  const other = otherProducts.get(tag);
  return [tag, ...(other === undefined ? [] : [nameTag(other)]), ...cpes];
}

function cpeTags(cpe: string): readonly string[] {
  try {
    return [cpeTag(parseWfn(cpe))];
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}

/** `4.2.11`, `4.2` and `4` for `v4.2.11-rc1`. */
function prefixesOf(version: string): readonly string[] {
  const parts = /^\d+(?:\.\d+)*/.exec(version.replace(/^(?:v|go)/, ""))?.[0].split(".") ?? [];
  return parts.map((_, dropped) => parts.slice(0, parts.length - dropped).join("."));
}

function endOf(
  lifecycles: readonly Lifecycle[],
  names: readonly string[],
  days: "ends" | "extendedEnds",
): ReleaseEnd | undefined {
  for (const { product, [days]: ends } of lifecycles) {
    const release = names.find((name) => Object.hasOwn(ends, name));
    const day = release === undefined ? undefined : ends[release];
    if (release !== undefined && day !== undefined) return { product, release, day };
  }
  return undefined;
}

/** The ends of support of a product's releases. */
interface Lifecycle {
  readonly product: string;
  /** The end of general support (`YYYY-MM-DD`) by release name. */
  readonly ends: Readonly<Record<string, string>>;
  /** The end of extended support (`YYYY-MM-DD`) by release name. */
  readonly extendedEnds: Readonly<Record<string, string>>;
}

/**
 * A record for each product, under all its names, package URLs and CPE names. A malformed product becomes a problem.
 * @throws ScanError `malformed_feed` for another document
 */
function lifecycleRecords(catalog: JsonPlace): readonly FeedItem<EnrichmentRecord>[] {
  const result = memberAt(catalog, "result");
  const products = Array.isArray(result.value) ? itemsAt(result) : [result];
  return products.flatMap((place) => recordItems(`${place.document}: ${place.path}`, () => [recordOf(place)]));
}

function recordOf(place: JsonPlace): EnrichmentRecord {
  const name = stringAt(memberAt(place, "name"));
  const releases = itemsAt(memberAt(place, "releases"));
  const names = [name, ...optionalItemsAt(memberAt(place, "aliases")).map(stringAt)];
  const identifiers = optionalItemsAt(memberAt(place, "identifiers")).flatMap(identifierTags);
  return {
    tags: [...new Set([...names.map(nameTag), ...identifiers])],
    record: {
      product: optionalStringAt(memberAt(place, "label")) ?? name,
      ends: daysOf(releases, "eolFrom"),
      extendedEnds: daysOf(releases, "eoesFrom"),
    },
  };
}

function daysOf(releases: readonly JsonPlace[], member: string): Readonly<Record<string, string>> {
  const days = releases.flatMap((release) => {
    const place = memberAt(release, member);
    const day = optionalStringAt(place);
    if (day === undefined) return [];
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw unexpected(place, "a day like 2026-01-31");
    return [[stringAt(memberAt(release, "name")), day]];
  });
  return Object.fromEntries(days);
}

/** The tag of an identifier. Empty for other types and for malformed identifiers: a product may have further ones. */
function identifierTags(place: JsonPlace): readonly string[] {
  const [type, id] = [stringAt(memberAt(place, "type")), stringAt(memberAt(place, "id"))];
  try {
    if (type === "purl") return [purlTag(parsePurl(id))];
    return type === "cpe" ? [cpeTag(parseWfn(id))] : [];
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}

/** The tag of a product by its name in the catalog: `alpine-linux`. */
function nameTag(name: string): string {
  return `product:${name}`;
}

/** The tag of a product by its package URL without version: `pkg:pypi/django`. */
function purlTag({ type, namespace, name }: Pick<PackageUrl, "type" | "namespace" | "name">): string {
  return `pkg:${[type, namespace, name].filter((part) => part !== undefined && part !== "").join("/")}`;
}

/** The tag of a product by vendor and product of its CPE names: `cpe:python:python`. */
function cpeTag({ vendor, product }: Pick<Wfn, "vendor" | "product">): string {
  return `cpe:${vendor}:${product}`;
}
