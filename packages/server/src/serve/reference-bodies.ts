/**
 * Bodies as the known implementation writes them, made of ours. What a member of its name holds is never changed, only how
 * it is written; nothing that the contract asks for is taken away.
 */

/** Kinds of packages in lower case, wherever they are. Arrays that are read as they come stay so. */
export function lowerCaseKinds(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.asyncIterator in value) return mapEach(value as AsyncIterable<unknown>, lowerCaseKinds);
  if (Array.isArray(value)) return value.map(lowerCaseKinds);
  return mapMembers(value, (member, name) =>
    name === "kind" && (member === "BINARY" || member === "SOURCE") ? member.toLowerCase() : lowerCaseKinds(member),
  );
}

/** Texts of the objects in a report's maps. */
const texts: Readonly<Record<string, readonly string[]>> = {
  packages: ["normalized_version", "module", "arch", "cpe"],
  distributions: ["did", "name", "version", "version_code_name", "version_id", "arch", "cpe", "pretty_name"],
  repository: ["name", "key", "uri", "cpe"],
  vulnerabilities: ["updater", "description", "links", "severity", "fixed_in_version"],
};

/** A report with empty texts and lists in place of those that are not known. */
export function fillReport(report: object): object {
  return {
    ...("success" in report && { err: "" }),
    ...mapMembers(report, (member, name) => {
      if (name === "environments")
        return mapMembers(member as object, (seen) => (seen as object[]).map(fillEnvironment));
      const members = texts[name];
      return members === undefined
        ? member
        : mapMembers(member as object, (each) => ({ ...empty(members), ...(each as object) }));
    }),
  };
}

function fillEnvironment(environment: object): object {
  return { ...empty(["package_db", "introduced_in", "distribution_id"]), repository_ids: [], ...environment };
}

/** A notification page whose vulnerabilities have the names of both: `severity` and `repo` besides those of the contract. */
export function renameSummaries(page: object): object {
  const { notifications } = page as { readonly notifications: readonly { readonly vulnerability: Summary }[] };
  return {
    ...page,
    notifications: notifications.map(({ vulnerability, ...notification }) => ({
      ...notification,
      vulnerability: {
        ...empty(["description", "links", "fixed_in_version"]),
        ...vulnerability,
        severity: vulnerability.normalized_severity,
        ...(vulnerability.repository !== undefined && { repo: vulnerability.repository }),
      },
    })),
  };
}

interface Summary {
  readonly normalized_severity: string;
  readonly repository?: unknown;
}

function empty(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, ""]));
}

function mapMembers(value: object, change: (member: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

async function* mapEach(values: AsyncIterable<unknown>, change: (value: unknown) => unknown): AsyncGenerator<unknown> {
  for await (const value of values) yield change(value);
}
