import type { Unreleased } from "../../match/language-matcher.ts";
import { mainModuleKey, unknownCommit, unstatedKey } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { orderOf } from "../../versions/define-order.ts";
import { malformedVersion } from "../../versions/malformed.ts";

/** The text that the linker writes instead of a version if the module is not a release. */
export const develVersion = "(devel)";

/**
 * The version that Go makes for a commit with no tag before it: `v0.0.0-20240102030405-abcdef123456+dirty`. A main module often has such a version
 * because it was built from a copy without tags.
 * @see https://go.dev/ref/mod#pseudo-versions
 */
const untagged = /^v?\d+\.0\.0-(\d{14}-[0-9a-f]{12})(?:\+|$)/;

/** The time and the revision in the version of a commit with no tag before it: `20240102030405-abcdef123456`; undefined for other versions. */
export function untaggedCommit(version: string): string | undefined {
  return untagged.exec(version)?.[1];
}

/** Whether a main module with the version is no release, and no commit between releases. */
export function isUnreleased(version: string): boolean {
  return version === "" || version === develVersion || untagged.test(version);
}

/** Versions of commits with no tag before them, in the order of their times. */
const commits: VersionScheme<string> = {
  name: "Go commit",
  parse(text) {
    const [time] = (untaggedCommit(text) ?? "").split("-");
    if (time === undefined || time === "")
      throw malformedVersion("the version of a commit with no tag before it", text);
    return time;
  },
  compare: orderOf,
};

/**
 * What the version of a main module can be compared with, if it is not that of a release; or of a module that may be one, because the document that
 * lists it does not state which module is the main one. The commit may be any release, so releases in advisories
 * decide nothing. Versions of commits do, by their times, as in Go's own order; and so does an advisory for all versions.
 *
 * Two other scanners differ. Trivy lists such a version and compares it with releases: `v0.0.0-…` is below each of them, so every old advisory about
 * the module is a finding (it lists `(devel)` without a version, and then reports nothing). Grype reports nothing about a main module with either,
 * unless it is set to compare like Trivy. So the one reports what is long fixed, and the other is silent about what is not. Here the advisory
 * is undecided, and the report is not complete, if the facts do not decide.
 * @see https://github.com/aquasecurity/trivy/blob/main/pkg/dependency/parser/golang/binary/parse.go
 * @see https://github.com/anchore/grype/blob/main/grype/matcher/golang/matcher.go
 */
export function unreleasedModule({ package: { version }, repositories }: IndexRecord): Unreleased | undefined {
  const stated = repositories.find(({ key }) => key === mainModuleKey)?.name;
  if (stated === undefined) return mayBeMain(repositories) ? perhapsUnreleased(version) : undefined;
  if (!isUnreleased(version)) return undefined;
  const commit = untaggedCommit(version) ?? stated;
  const text = commit === unknownCommit ? version || develVersion : `v0.0.0-${commit}`;
  const built = commit === unknownCommit ? "" : `, from the commit ${commit}`;
  const detail = `${version || "no version"} is that of a main module that was not built as a release${built}: it cannot be compared with releases`;
  return { versions: commits, text, detail };
}

function mayBeMain(repositories: IndexRecord["repositories"]): boolean {
  return repositories.some(({ key, name }) => key === unstatedKey && name === "version");
}

function perhapsUnreleased(version: string): Unreleased | undefined {
  const commit = untaggedCommit(version);
  if (commit === undefined) return undefined;
  const detail = `${version} is below every release if the module is a dependency, and may be any release if it is a main module; the document that lists it does not state which`;
  return { versions: commits, text: `v0.0.0-${commit}`, detail };
}
