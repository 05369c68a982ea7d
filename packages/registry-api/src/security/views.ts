import {
  aliasesEnrichment,
  attachedKinds,
  type Coverage,
  coverageEnrichment,
  cvssScores,
  cvssType,
  parseCvss,
  type StatedSbomPackage,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { ImageFeed } from "../ports/scanning.ts";
import { evidenceOf, packageEvidence, type ReportEvidence, vulnerabilityEvidence } from "./evidence-view.ts";
import { ruleAt } from "./ignore-rules.ts";
import { upgradesOf } from "./upgrades.ts";

const Metadata = Type.Object({
  UpdatedBy: Type.String(),
  RepoName: Type.String(),
  RepoLink: Type.String(),
  DistroName: Type.String(),
  DistroVersion: Type.String(),
  NVD: Type.Object({
    CVSSv3: Type.Object({ Vectors: Type.String(), Score: Type.Union([Type.Number(), Type.Literal("")]) }),
  }),
});

const Vulnerability = Type.Object({
  Severity: Type.String({ description: "Unknown, Negligible, Low, Medium, High or Critical" }),
  NamespaceName: Type.String(),
  Link: Type.String({ description: "Addresses separated by blanks" }),
  FixedBy: Type.String({ description: "Empty where no fix is known" }),
  Description: Type.String(),
  Name: Type.String(),
  Aliases: Type.Array(Type.String(), { description: "What else it is called" }),
  ...vulnerabilityEvidence,
  Metadata,
});

const Feature = Type.Object({
  Name: Type.String(),
  VersionFormat: Type.String(),
  NamespaceName: Type.String(),
  AddedBy: Type.String({ description: "Digest of the layer that brought it" }),
  Version: Type.String(),
  ...packageEvidence,
  Sbom: Type.Optional(
    Type.String({
      description:
        "The digest of the attached SBOM that alone states the package: it was not seen in a layer. Without `Vulnerabilities` it was not matched with advisories either",
    }),
  ),
  UpgradeTo: Type.Optional(
    Type.String({
      description:
        "The lowest version that has none of those vulnerabilities which a fix is known of, in this package and others of its source; absent where there is none, or the order of versions is not known",
    }),
  ),
  BaseScores: Type.Optional(Type.Array(Type.Number())),
  CVEIds: Type.Optional(Type.Array(Type.String())),
  Vulnerabilities: Type.Optional(Type.Array(Vulnerability, { description: "Absent where the query leaves them out" })),
});
type Feature = Static<typeof Feature>;

const Problem = Type.Object({
  At: Type.String({ description: "A path in the image, or the digest of a layer" }),
  Code: Type.String(),
  Message: Type.String(),
});
type Problem = Static<typeof Problem>;

const Unassessed = Type.Object({
  Kind: Type.String({ description: "What kind of packages no detector reads" }),
  Count: Type.Integer(),
  Paths: Type.Array(Type.String(), { description: "Some of the places where they were seen" }),
});

const Feed = Type.Object({
  Ecosystem: Type.String(),
  Covered: Type.Boolean({ description: "Whether there are advisories for it at all" }),
  Outdated: Type.Boolean({ description: "Whether they were not checked for longer than the settings allow" }),
  CheckedAt: Type.Optional(Type.String({ format: "date-time" })),
});

const Suppressed = Type.Object({
  Name: Type.String({ description: "The vulnerability" }),
  Package: Type.String(),
  Version: Type.String(),
  Status: Type.Enum(["not_affected", "fixed"]),
  Justification: Type.String(),
  Detail: Type.String(),
  Author: Type.String(),
  Source: Type.String({
    description: "The digest of the attached document and where in it the statement stands, or the rule",
  }),
  Rule: Type.Optional(Type.String({ description: "The uuid of the rule; absent for a statement of a document" })),
  Expires: Type.Optional(Type.String({ format: "date-time", description: "When it is a finding again" })),
});

const EndOfLife = Type.Object({
  Name: Type.String({ description: "The distribution, or the product with its release" }),
  Package: Type.Optional(Type.String({ description: "The name of the package; absent for a distribution" })),
  LastDay: Type.String({ format: "date", description: "The last day on which it gets security fixes" }),
});

/** The packages of an image and their vulnerabilities. */
export const SecurityData = Type.Object({
  Layer: Type.Object({
    Name: Type.String({ description: "Digest of the manifest" }),
    ParentName: Type.String(),
    NamespaceName: Type.String(),
    IndexedByVersion: Type.Integer(),
    Features: Type.Array(Feature),
    Problems: Type.Array(Problem, {
      description: "What could not be read or judged: there may be more than the features say",
    }),
    Unassessed: Type.Array(Unassessed, { description: "Packages that were seen and that no detector reads" }),
    Feeds: Type.Array(Feed, { description: "What the packages were matched with" }),
    Suppressed: Type.Array(Suppressed, {
      description: "Findings that rules take out, or VEX documents which are attached to the image",
    }),
    EndsOfLife: Type.Array(EndOfLife, {
      description: "Until when the distribution and packages get security fixes, where it is known",
    }),
  }),
});
export type SecurityData = Static<typeof SecurityData>;

type VulnerabilityJson = VulnerabilityReportJson["vulnerabilities"][string];

/** What a scan found, and what it was made with. */
export interface ScannedImage {
  readonly report: VulnerabilityReportJson;
  readonly coverage: Coverage;
  readonly feeds?: readonly ImageFeed[];
  /** The digests of attached SBOMs, from which packages of the report may be. */
  readonly sboms?: ReadonlySet<string>;
  /** Packages of these that could not be matched. */
  readonly unmatched?: readonly StatedSbomPackage[];
}

/**
 * A vulnerability report in the words that clients of registries know.
 * @param elsewhere layers that the registry does not have
 */
export async function securityData(
  { report, coverage, feeds = [], sboms = new Set(), unmatched = [] }: ScannedImage,
  elsewhere: readonly { readonly digest: string }[],
): Promise<SecurityData> {
  const evidence = await evidenceOf(report);
  const seen = await inTurns(Object.keys(report.packages), (id) => featureOf({ report, evidence, sboms }, id));
  const upgradeOf = upgradesOf(seen);
  const found = await inTurns(seen, (feature) => withUpgrade(feature, upgradeOf(feature)));
  const Features = [...found, ...unmatched.map(unmatchedFeature)];
  const layer = { Name: report.manifest_hash, ParentName: "", NamespaceName: "", IndexedByVersion: 4 };
  const Problems = [
    ...elsewhere.map(({ digest }) => foreign(digest, "the layer is elsewhere")),
    ...problemsOf(coverage),
    ...feeds.flatMap(feedProblem),
  ];
  const Unassessed = coverage.unassessed.map(({ kind, count, evidence }) => ({
    ...{ Kind: kind, Count: count },
    Paths: evidence.map(({ path }) => path),
  }));
  const said = { Suppressed: suppressedOf(report), EndsOfLife: endsOfLife(report) };
  return { Layer: { ...layer, Features, Problems, Unassessed, Feeds: feeds.map(feedView), ...said } };
}

/** As the report itself says beside its coverage, which a scanner of ours always writes. */
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
  return { ...(Rule !== undefined && { Rule }), ...(Expires !== undefined && { Expires }) };
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

/** The codes of a feed that is missing or outdated, and of attached documents: they say nothing of the image's content. */
const besideImage: ReadonlySet<string> = new Set([
  ...["missing_feed", "outdated_feed"],
  ...attachedKinds.map(({ code }) => code),
]);

/** Whether a problem is one of the image: something in it could not be read. */
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

/** The same without vulnerabilities: the member is absent, so that no client takes it for an image that has none. */
export async function withoutVulnerabilities({ Layer }: SecurityData): Promise<SecurityData> {
  const Features = await inTurns(
    Layer.Features,
    ({ UpgradeTo: _, BaseScores: __, CVEIds: ___, Vulnerabilities: ____, ...feature }) => feature,
  );
  return { Layer: { ...Layer, Features } };
}

/** Maps a list that may be long, and lets other work run in between. */
async function inTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
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

function withUpgrade(feature: Feature, UpgradeTo: string | undefined): Feature {
  return UpgradeTo === undefined || feature.Vulnerabilities?.length === 0 ? feature : { ...feature, UpgradeTo };
}

/** A package that was not seen: it has no layer, and no finding says that it has none. */
function unmatchedFeature({
  package: { name: Name, version: Version },
  purl,
  document: Sbom,
}: StatedSbomPackage): Feature {
  return { Name, VersionFormat: "", NamespaceName: "", AddedBy: "", Version, ...(purl && { Purl: purl }), Sbom };
}

interface ShownReport {
  readonly report: VulnerabilityReportJson;
  readonly evidence: ReportEvidence;
}

interface ShownImage extends ShownReport {
  readonly sboms: ReadonlySet<string>;
}

function featureOf({ report, evidence, sboms }: ShownImage, packageId: string): Feature {
  const { name = "", version = "" } = report.packages[packageId] ?? {};
  const [environment] = report.environments[packageId] ?? [];
  const origin = environment?.introduced_in ?? "";
  const isStated = sboms.has(origin);
  const ids = report.package_vulnerabilities[packageId] ?? [];
  const aliases = aliasesOf(report);
  const found = ids.flatMap((id) => report.vulnerabilities[id] ?? []);
  const vulnerabilities = found.map((vulnerability) => ({ vulnerability, aliases: aliases[vulnerability.id] ?? [] }));
  const names = vulnerabilities.flatMap((each) => [each.vulnerability.name, ...each.aliases]);
  const scores = found.flatMap((vulnerability) => cvssOf(report, vulnerability)?.base ?? []);
  return {
    Name: name,
    VersionFormat: "",
    NamespaceName: "",
    AddedBy: isStated ? "" : origin,
    Version: version,
    ...evidence.ofPackage(packageId),
    ...(isStated && { Sbom: origin }),
    BaseScores: [...new Set(scores)],
    CVEIds: [...new Set(names.flatMap((each) => each.match(/CVE-\d+-\d+/g) ?? []))].sort(),
    Vulnerabilities: vulnerabilities.map((each) => vulnerabilityView({ report, evidence }, each)),
  };
}

/** Aliases by the id of a vulnerability in the report, as a matcher of ours writes them. */
function aliasesOf({ enrichments }: VulnerabilityReportJson): Readonly<Record<string, readonly string[]>> {
  const [aliases = {}] = enrichments[aliasesEnrichment] ?? [];
  return aliases as Readonly<Record<string, readonly string[]>>;
}

interface NamedVulnerability {
  readonly vulnerability: VulnerabilityJson;
  readonly aliases: readonly string[];
}

function vulnerabilityView({ report, evidence }: ShownReport, { vulnerability, aliases }: NamedVulnerability) {
  const { name, normalized_severity, links = "", fixed_in_version = "", description = "" } = vulnerability;
  const { updater = "", repository, distribution } = vulnerability;
  const cvss = cvssOf(report, vulnerability);
  return {
    Severity: normalized_severity,
    NamespaceName: "",
    Link: links,
    FixedBy: fixed_in_version,
    Description: description,
    Name: name,
    Aliases: [...aliases],
    ...evidence.ofVulnerability(vulnerability.id),
    Metadata: {
      UpdatedBy: updater,
      RepoName: repository?.name ?? "",
      RepoLink: repository?.uri ?? "",
      DistroName: distribution?.name ?? "",
      DistroVersion: distribution?.version ?? "",
      NVD: { CVSSv3: { Vectors: cvss?.vector ?? "", Score: cvss?.base ?? ("" as const) } },
    },
  };
}

function foreign(digest: string, message: string): Problem {
  return { At: digest, Code: "foreign_layer", Message: message };
}

/** A vector of CVSS 3 and its base score. */
interface CvssScore {
  readonly vector: string;
  readonly base: number;
}

/** The score that the National Vulnerability Database has; where it has none, that of a feed that gives a vector as the severity. */
function cvssOf(
  { enrichments }: VulnerabilityReportJson,
  { id, severity = "" }: VulnerabilityJson,
): CvssScore | undefined {
  const [byId = {}] = enrichments[cvssType] ?? [];
  const records = (byId as Readonly<Record<string, unknown>>)[id];
  const scored = CvssRecords.Check(records) ? records.find(({ version }) => version.startsWith("3.")) : undefined;
  if (scored !== undefined) return { vector: scored.vectorString, base: scored.baseScore };
  const vector = /CVSS:3[^\s,]*/.exec(severity)?.[0];
  if (vector === undefined) return undefined;
  try {
    return { vector, base: cvssScores(parseCvss(vector)).base };
  } catch {
    return undefined;
  }
}

/** The scores of one vulnerability. */
const CvssRecords = Compile(
  Type.Array(Type.Object({ version: Type.String(), vectorString: Type.String(), baseScore: Type.Number() })),
);
