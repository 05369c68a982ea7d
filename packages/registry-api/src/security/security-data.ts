import {
  attachedKinds,
  type Coverage,
  coverageEnrichment,
  type UndecidedPackages,
  undecidedText,
} from "@plimsoll/core/internal";
import type { VulnerabilityReportJson } from "@plimsoll/core/report";
import type { ImageFeed } from "@plimsoll/registry/ports/scanning";
import type { ScannedImage } from "@plimsoll/registry/security/image-findings";
import { ruleAt } from "@plimsoll/registry/security/stated-scan";
import { upgradesOf } from "@plimsoll/registry/security/upgrades";
import { cooperativeYield } from "@plimsoll/store";
import { evidenceOf } from "./evidence-view.ts";
import { featureOf, unmatchedFeature } from "./feature-view.ts";
import type { Feature, Problem, SecurityReport } from "./security-report.ts";

/**
 * A vulnerability report in the format of the registry's API.
 * @param elsewhere layers that the registry does not store
 */
export async function securityData(
  { report, coverage, feeds = [], sboms = new Set(), unmatched = [] }: ScannedImage,
  elsewhere: readonly { readonly digest: string }[],
): Promise<SecurityReport> {
  const evidence = await evidenceOf(report);
  const seen = await mapYielding(Object.keys(report.packages), (id) => featureOf({ report, evidence, sboms }, id));
  const upgradeOf = upgradesOf(seen);
  const found = await mapYielding(seen, (feature) => withUpgrade(feature, upgradeOf(feature)));
  const Features = [...found, ...unmatched.map(unmatchedFeature)];
  const layer = { Name: report.manifest_hash, ParentName: "", NamespaceName: "", IndexedByVersion: 4 };
  const Problems = [
    ...elsewhere.map(({ digest }) => foreign(digest, "the layer is elsewhere")),
    ...problemsOf(coverage),
    ...(coverage.undecided ?? []).map((each) => undecidedProblem(each, report)),
    ...feeds.flatMap(feedProblem),
  ];
  const Unassessed = coverage.unassessed.map(({ kind, count, evidence }) => ({
    ...{ Kind: kind, Count: count },
    Paths: evidence.map(({ path }) => path),
  }));
  const fromReport = {
    Enrichers: enrichersOf(report),
    Suppressed: suppressedOf(report),
    EndsOfLife: endsOfLife(report),
  };
  return { Layer: { ...layer, Features, Problems, Unassessed, Feeds: feeds.map(feedView), ...fromReport } };
}

/** The ends of life in the coverage enrichment of the report, which Plimsoll's scanner always writes. */
function endsOfLife({ enrichments, distributions, packages }: VulnerabilityReportJson) {
  const [coverage] = enrichments[coverageEnrichment] ?? [];
  const { end_of_life: ends = [] } = (coverage ?? {}) as { readonly end_of_life?: readonly EndOfLifeJson[] };
  return ends.map((end) => {
    const LastDay = end.day;
    if (end.distribution_id === undefined) {
      const Package = packages[end.package_id ?? ""]?.name ?? "";
      return { Name: `${end.product} ${end.release}`, Package, LastDay };
    }
    const { pretty_name: prettyName, name, did } = distributions[end.distribution_id] ?? {};
    return { Name: prettyName ?? name ?? did ?? "", LastDay };
  });
}

function enrichersOf({ enrichments }: VulnerabilityReportJson) {
  const [coverage] = enrichments[coverageEnrichment] ?? [];
  const { enrichers = [] } = (coverage ?? {}) as { readonly enrichers?: readonly EnricherJson[] };
  return enrichers.map(({ enricher, loaded, checked_at: CheckedAt }) => {
    return { Enricher: enricher, Loaded: loaded, CheckedAt };
  });
}

interface EnricherJson {
  readonly enricher: string;
  readonly loaded: boolean;
  readonly checked_at?: string;
}

function suppressedOf({ enrichments, packages, vulnerabilities }: VulnerabilityReportJson) {
  const [coverage] = enrichments[coverageEnrichment] ?? [];
  const { suppressed = [] } = (coverage ?? {}) as { readonly suppressed?: readonly SuppressedJson[] };
  return suppressed.map(
    ({ package_id, vulnerability_id, status, justification = "", detail = "", author = "", ...more }) => ({
      Name: vulnerabilities[vulnerability_id]?.name ?? "",
      Package: packages[package_id]?.name ?? "",
      Version: packages[package_id]?.version ?? "",
      Status: status,
      Justification: justification,
      Detail: detail,
      Author: author,
      Source: more.place,
      ...ruleMembers(more),
    }),
  );
}

function ruleMembers({ place, expires: Expires }: Pick<SuppressedJson, "place" | "expires">) {
  const Rule = ruleAt(place);
  return { Rule, Expires };
}

interface SuppressedJson {
  readonly package_id: string;
  readonly vulnerability_id: string;
  readonly status: "not_affected" | "fixed";
  readonly justification?: string;
  readonly detail?: string;
  readonly author?: string;
  readonly expires?: string;
  readonly place: string;
}

interface EndOfLifeJson {
  readonly distribution_id?: string;
  readonly package_id?: string;
  readonly product?: string;
  readonly release?: string;
  readonly day: string;
}

function feedView({ ecosystem, isCovered, isOutdated, checkedAt }: ImageFeed) {
  const checked = checkedAt === undefined ? {} : { CheckedAt: checkedAt };
  return { Ecosystem: ecosystem, Covered: isCovered, Outdated: isOutdated, ...checked };
}

/** The codes of missing, outdated and unknown feeds and of attached documents, which are not about the content of the image. */
const besideImage: ReadonlySet<string> = new Set([
  ...["missing_feed", "outdated_feed", "feeds_unknown"],
  ...attachedKinds.map(({ code }) => code),
]);

/** Whether a problem is that a part of the image could not be read. */
export function isOfImage({ Code }: Problem): boolean {
  return !besideImage.has(Code);
}

function feedProblem({ ecosystem, isCovered, isOutdated, checkedAt }: ImageFeed): Problem[] {
  if (!isCovered) {
    return [{ At: ecosystem, Code: "missing_feed", Message: "no feed covers it: its packages were not judged" }];
  }
  if (!isOutdated) return [];
  return [{ At: ecosystem, Code: "outdated_feed", Message: `its advisories were last checked at ${checkedAt}` }];
}

/** A report without vulnerabilities. The member is absent, since an empty list would mean that the image has none. */
export async function withoutVulnerabilities({ Layer }: SecurityReport): Promise<SecurityReport> {
  const Features = await mapYielding(
    Layer.Features,
    ({ UpgradeTo: _, BaseScores: __, CVEIds: ___, Vulnerabilities: ____, ...feature }) => feature,
  );
  return { Layer: { ...Layer, Features } };
}

/** Maps a long list, so that other work can run in between. */
async function mapYielding<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const yieldToOthers = cooperativeYield();
  const made: Made[] = [];
  for (const item of items) {
    made.push(make(item));
    await yieldToOthers();
  }
  return made;
}

function problemsOf({ layers, problems, unassessed }: Coverage): Problem[] {
  const unread = layers.filter(({ status }) => status === "foreign");
  return [
    ...unread.map(({ digest, message = "the layer was not read" }) => foreign(digest, message)),
    ...problems.map(({ at, code, message }) => ({ At: at, Code: code, Message: message })),
    ...unassessed.map(({ kind, count, evidence }) => ({
      At: evidence[0]?.path ?? "",
      Code: "unassessed_packages",
      Message: `packages that no detector reads: ${count} of the kind ${kind}`,
    })),
  ];
}

function undecidedProblem(undecided: UndecidedPackages, { packages }: VulnerabilityReportJson): Problem {
  const first = packages[undecided.packageIds[0] ?? ""]?.name ?? "";
  return { At: first, Code: "undecided_packages", Message: `not judged: ${undecidedText(undecided, packages)}` };
}

function withUpgrade(feature: Feature, UpgradeTo: string | undefined): Feature {
  return UpgradeTo === undefined || feature.Vulnerabilities?.length === 0 ? feature : { ...feature, UpgradeTo };
}

function foreign(digest: string, message: string): Problem {
  return { At: digest, Code: "foreign_layer", Message: message };
}
