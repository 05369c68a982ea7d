import type { Unreleased } from "../../match/language-matcher.ts";
import { isObject, type JsonObject, textOf } from "../../model/json-object.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { malformedVersion } from "../../versions/malformed.ts";

/** The name of a branch without a number, which may be at any release. */
const branch = /^(?:dev-.|(?:default|master|trunk)$)/i;

/** What Composer writes for the default branch of a package that states no alias. */
const noAlias = /^9999999/;

/**
 * The version of a package by its description: of a branch its alias, by which Composer compares it.
 *
 *     "version": "dev-main", "extra": {"branch-alias": {"dev-main": "5.4.x-dev"}}
 * @see https://getcomposer.org/doc/articles/aliases.md#branch-alias
 */
export function versionIn({ version: stated, extra }: JsonObject): string {
  const version = textOf(stated);
  const aliases = isObject(extra) ? extra["branch-alias"] : undefined;
  return aliasOr(version, isObject(aliases) ? textOf(aliases[version]) : "");
}

/** The alias of a branch, if it has one; otherwise the version. */
export function aliasOr(version: string, alias: string): string {
  return branch.test(version) && alias !== "" && !noAlias.test(alias) ? alias : version;
}

/** The names of branches alone. */
const branches: VersionScheme<ReturnType<typeof composerVersions.parse>> = {
  name: "branch of Composer",
  parse(text) {
    if (!branch.test(text)) throw malformedVersion("the name of a branch", text);
    return composerVersions.parse(text);
  },
  compare: composerVersions.compare,
};

/** What a branch can be compared with: its name in advisories. Releases decide nothing about it, since it may be before or after each of them. */
export function branchOf({ package: { version } }: IndexRecord): Unreleased | undefined {
  if (!branch.test(version)) return undefined;
  return {
    versions: branches,
    text: version,
    detail: `${version} is a branch without an alias: it cannot be compared with releases`,
  };
}
