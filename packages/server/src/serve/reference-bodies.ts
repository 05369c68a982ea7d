// Converts our response bodies to those of the known implementation. Values are never changed, only their form. Of the contract's members
// only `range` is removed, because clients of that implementation expect another form of it.
import { cvssType, raisedDebianSeverity, withoutUndefined } from "@plimsoll/core/internal";
import { severities } from "@plimsoll/core/severity";

/** Converts kinds of packages to lower case, at any depth. Streamed arrays stay streams. */
export function lowerCaseKinds(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.asyncIterator in value) return mapEach(value as AsyncIterable<unknown>, lowerCaseKinds);
  if (Array.isArray(value)) return value.map(lowerCaseKinds);
  return mapMembers(value, (member, name) =>
    name === "kind" && (member === "BINARY" || member === "SOURCE") ? member.toLowerCase() : lowerCaseKinds(member),
  );
}

/** The members that an object always has, with their empty values. */
type Empty = Readonly<Record<string, unknown>>;

const emptyPackage = texts("id", "name", "version", "kind", "normalized_version", "module", "arch", "cpe");
const emptyDistribution = texts(
  ...["id", "did", "name", "version", "version_code_name", "version_id", "arch", "cpe", "pretty_name"],
);
const emptyRepository = texts("id", "name", "key", "uri", "cpe");
const emptyEnvironment = { ...texts("package_db", "distribution_id"), repository_ids: [] };
const emptyVulnerability = {
  ...texts("updater", "description", "links", "severity", "fixed_in_version"),
  issued: "0001-01-01T00:00:00Z",
};

/** Adds empty texts, lists and objects for the absent members of a report. */
export function fillReport(report: object): object {
  return {
    err: "success" in report ? "" : undefined,
    ...mapMembers(report, (member, name) => fillMember(member, name)),
  };
}

function fillMember(member: unknown, name: string): unknown {
  switch (name) {
    case "packages":
      return mapMembers(member as object, fillPackage);
    case "environments":
      return mapMembers(member as object, (seen) => (seen as object[]).map((each) => filled(each, emptyEnvironment)));
    case "distributions":
      return mapMembers(member as object, (each) => filled(each, emptyDistribution));
    case "repository":
      return mapMembers(member as object, (each) => filled(each, emptyRepository));
    case "vulnerabilities":
      return mapMembers(member as object, fillVulnerability);
    default:
      return member;
  }
}

/** Adds empty values for the absent members of vulnerabilities in an update diff, whose lists are streamed. */
export function fillDifference(diff: object): object {
  return mapMembers(diff, (member, name) =>
    name === "added" || name === "removed" ? mapEach(member as AsyncIterable<unknown>, fillVulnerability) : member,
  );
}

/** Adds empty values for the absent members of a vulnerability. */
function fillVulnerability(value: unknown): unknown {
  const {
    range: _,
    rule,
    package: affectedPackage,
    distribution,
    repository,
    ...members
  } = value as VulnerabilityMembers;
  return {
    ...emptyVulnerability,
    ...withoutUndefined(members),
    rule,
    package: fillPackage(affectedPackage ?? {}),
    distribution: filled(distribution ?? {}, emptyDistribution),
    repository: filled(repository ?? {}, emptyRepository),
  };
}

interface VulnerabilityMembers {
  readonly range?: unknown;
  readonly rule?: unknown;
  readonly package?: object | null;
  readonly distribution?: object | null;
  readonly repository?: object | null;
}

function fillPackage(value: unknown): object {
  const { source, ...found } = value as { readonly source?: object };
  return {
    ...emptyPackage,
    ...withoutUndefined(found),
    ...(source !== undefined && { source: { ...emptyPackage, ...withoutUndefined(source) } }),
  };
}

/**
 * Adds the absent sources and environments of the packages of a report, whose clients read them without asking whether they are there. They
 * need a digest for the layer: where it is not known, it is that of the image.
 */
export function fillInventory(report: object): object {
  const { packages, environments, manifest_hash: introduced_in } = report as ReportMembers;
  const unseen = { ...emptyEnvironment, introduced_in };
  return {
    ...report,
    packages: mapMembers(packages, (each) => ({ source: emptyPackage, ...withoutUndefined(each as object) })),
    environments: mapMembers(packages, (_, id) => {
      const seen = Object.hasOwn(environments, id) ? (environments[id] ?? []) : [];
      return seen.length === 0 ? [unseen] : seen.map((each) => filled(each, unseen));
    }),
  };
}

interface ReportMembers {
  readonly manifest_hash: string;
  readonly packages: object;
  readonly environments: Readonly<Record<string, readonly object[]>>;
}

/** Leaves only the CVSS scores among the enrichments of a report: clients read the first type, or all, as such scores. */
export function onlyScores(report: object): object {
  const { enrichments = {} } = report as { readonly enrichments?: Readonly<Record<string, unknown>> };
  const scores = enrichments[cvssType];
  return { ...report, enrichments: scores === undefined ? {} : { [cvssType]: scores } };
}

/**
 * Adds the reference implementation's names to the vulnerabilities of a notification page: `severity` and `repo`. Absent members of
 * present objects get empty values.
 */
export function renameSummaries(page: object): object {
  const { notifications } = page as { readonly notifications: readonly { readonly vulnerability: Summary }[] };
  return {
    ...page,
    notifications: notifications.map(({ vulnerability, ...notification }) => ({
      ...notification,
      vulnerability: renameSummary(vulnerability),
    })),
  };
}

function renameSummary(summary: Summary): object {
  const { package: affectedPackage, distribution, repository } = summary;
  const from = repository === undefined ? undefined : filled(repository, emptyRepository);
  return {
    ...texts("description", "links", "fixed_in_version"),
    ...withoutUndefined(summary),
    severity: summary.normalized_severity,
    package: affectedPackage && fillPackage(affectedPackage),
    distribution: distribution && filled(distribution, emptyDistribution),
    repository: from,
    repo: from,
  };
}

interface Summary {
  readonly normalized_severity: string;
  readonly package?: object;
  readonly distribution?: object;
  readonly repository?: object;
}

function texts(...names: readonly string[]): Empty {
  return Object.fromEntries(names.map((name) => [name, ""]));
}

function filled(value: unknown, empty: Empty): object {
  return { ...empty, ...withoutUndefined(value as object) };
}

function mapMembers(value: object, change: (member: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

/** Changes each item of a stream. */
export async function* mapEach<Item, Changed>(
  values: AsyncIterable<Item>,
  change: (value: Item) => Changed,
): AsyncGenerator<Changed> {
  for await (const value of values) yield change(value);
}

/** A vulnerability in our response bodies. Those of notifications have no updater. */
interface Rated {
  readonly updater?: string;
  readonly normalized_severity: string;
  readonly distribution?: { readonly did?: string } | null;
}

/** Raises the severities of the vulnerabilities of Debian in a report. */
export function raiseInReport(report: object): object {
  const { vulnerabilities } = report as { readonly vulnerabilities: Readonly<Record<string, Rated>> };
  const raised = Object.entries(vulnerabilities).map(([id, each]) => [id, raiseIfDebian(each)] as const);
  return { ...report, vulnerabilities: Object.fromEntries(raised) };
}

/** Raises the severities of the vulnerabilities of Debian in a page of notifications. */
export function raiseInNotifications(page: object): object {
  const { notifications } = page as { readonly notifications: readonly { readonly vulnerability: Rated }[] };
  return {
    ...page,
    notifications: notifications.map((each) => ({ ...each, vulnerability: raiseIfDebian(each.vulnerability) })),
  };
}

/** Raises the severities of the vulnerabilities of Debian in an update diff, whose lists are streamed. */
export function raiseInDifference(diff: object): object {
  const { added, removed } = diff as Readonly<Record<"added" | "removed", AsyncIterable<Rated>>>;
  return { ...diff, added: mapEach(added, raiseIfDebian), removed: mapEach(removed, raiseIfDebian) };
}

/**
 * Lowers the severity of a vulnerability of Debian in an update diff of a matcher of the reference profile. It is then what the tracker says,
 * as everywhere but in responses: pages of notifications raise it again, for each vulnerability of the distribution.
 */
export function lowerIfDebian(vulnerability: Rated): Rated {
  const { normalized_severity: severity, distribution } = vulnerability;
  if (distribution?.did !== "debian") return vulnerability;
  return { ...vulnerability, normalized_severity: lowered.get(severity) ?? severity };
}

/** The severities that are raised, by what they become. The tracker has no urgency that is "Critical". */
const lowered = new Map(
  severities.filter((each) => each !== "Critical").map((each) => [raisedDebianSeverity(each), each] as const),
);

function raiseIfDebian(vulnerability: Rated): Rated {
  const { updater, normalized_severity, distribution } = vulnerability;
  const isDebian = updater === undefined ? distribution?.did === "debian" : updater === "debian";
  return isDebian
    ? { ...vulnerability, normalized_severity: raisedDebianSeverity(normalized_severity) }
    : vulnerability;
}
