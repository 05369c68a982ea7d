/**
 * Bodies as the known implementation writes them, made of ours. What a member of its name holds is never changed, only how
 * it is written; of what the contract asks for only `range` is taken away, which its clients read in another form.
 */
import { coverageEnrichment } from "@plimsoll/core";

/** Kinds of packages in lower case, wherever they are. Arrays that are read as they come stay so. */
export function lowerCaseKinds(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.asyncIterator in value) return mapEach(value as AsyncIterable<unknown>, lowerCaseKinds);
  if (Array.isArray(value)) return value.map(lowerCaseKinds);
  return mapMembers(value, (member, name) =>
    name === "kind" && (member === "BINARY" || member === "SOURCE") ? member.toLowerCase() : lowerCaseKinds(member),
  );
}

/** Members that an object always has, with what they hold where nothing is known. */
type Empty = Readonly<Record<string, unknown>>;

const emptyPackage = texts("id", "name", "version", "kind", "normalized_version", "module", "arch", "cpe");
const emptyDistribution = texts(
  ...["id", "did", "name", "version", "version_code_name", "version_id", "arch", "cpe", "pretty_name"],
);
const emptyRepository = texts("id", "name", "key", "uri", "cpe");
const emptyEnvironment = { ...texts("package_db", "introduced_in", "distribution_id"), repository_ids: [] };
const emptyVulnerability = {
  ...texts("updater", "description", "links", "severity", "fixed_in_version"),
  issued: "0001-01-01T00:00:00Z",
};

/** A report with empty texts, lists and objects in place of those that are not known. */
export function fillReport(report: object): object {
  return {
    ...("success" in report && { err: "" }),
    ...mapMembers(report, (member, name) => fillMember(member, name)),
  };
}

function fillMember(member: unknown, name: string): unknown {
  switch (name) {
    case "packages":
      return mapMembers(member as object, fillPackage);
    case "distributions":
      return mapMembers(member as object, (each) => filled(each, emptyDistribution));
    case "repository":
      return mapMembers(member as object, (each) => filled(each, emptyRepository));
    case "environments":
      return mapMembers(member as object, (seen) => (seen as object[]).map((each) => filled(each, emptyEnvironment)));
    case "vulnerabilities":
      return mapMembers(member as object, fillVulnerability);
    default:
      return member;
  }
}

/** The lists of an update difference with whole vulnerabilities, read as they come. */
export function fillDifference(diff: object): object {
  return mapMembers(diff, (member, name) =>
    name === "added" || name === "removed" ? mapEach(member as AsyncIterable<unknown>, fillVulnerability) : member,
  );
}

/** What a summary lacks of a vulnerability is filled too: its own words are kept. */
function fillVulnerability(value: unknown): unknown {
  const { range: _, rule, package: spokenOf, distribution, repository, ...members } = value as SpokenOf;
  return {
    ...emptyVulnerability,
    ...members,
    ...(rule !== undefined && { rule }),
    package: fillPackage(spokenOf ?? {}),
    distribution: filled(distribution ?? {}, emptyDistribution),
    repository: filled(repository ?? {}, emptyRepository),
  };
}

interface SpokenOf {
  readonly range?: unknown;
  readonly rule?: unknown;
  readonly package?: object | null;
  readonly distribution?: object | null;
  readonly repository?: object | null;
}

function fillPackage(value: unknown): object {
  const { source, ...found } = value as { readonly source?: object };
  return { ...emptyPackage, ...found, ...(source !== undefined && { source: { ...emptyPackage, ...source } }) };
}

/** A report without the enrichment that is of our own. */
export function withoutCoverage(report: object): object {
  const { enrichments = {} } = report as { readonly enrichments?: Readonly<Record<string, unknown>> };
  const { [coverageEnrichment]: _, ...others } = enrichments;
  return { ...report, enrichments: others };
}

/**
 * A notification page whose vulnerabilities have the names of both: `severity` and `repo` besides those of the contract. What
 * is there is whole.
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
  const { package: spokenOf, distribution, repository } = summary;
  const from = repository === undefined ? undefined : filled(repository, emptyRepository);
  return {
    ...texts("description", "links", "fixed_in_version"),
    ...summary,
    severity: summary.normalized_severity,
    ...(spokenOf !== undefined && { package: fillPackage(spokenOf) }),
    ...(distribution !== undefined && { distribution: filled(distribution, emptyDistribution) }),
    ...(from !== undefined && { repository: from, repo: from }),
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
  return { ...empty, ...(value as object) };
}

function mapMembers(value: object, change: (member: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

async function* mapEach(values: AsyncIterable<unknown>, change: (value: unknown) => unknown): AsyncGenerator<unknown> {
  for await (const value of values) yield change(value);
}
