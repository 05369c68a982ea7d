import type { DatabaseCoalescing } from "../../index/coalesce-databases.ts";
import { dnfRepositoryKey, type FoundPackage, type PackageRepository, thirdPartyKey } from "../../model/package.ts";
import type { EcosystemLayer, ImageView } from "../../plugins/coalescer.ts";
import type { OriginsFinding } from "../../plugins/finding.ts";
import { historyPaths, isExtra, originKey } from "./dnf-history.ts";

type Repository = Omit<PackageRepository, "id">;

/**
 * The repositories of rpm packages: the one from which dnf installed a package by the histories in the finished image, and those in the build
 * files of its layer. A package of an extra of Amazon Linux 2 has that alone, as of a third party. A layer without such files has the repositories of the nearest layer below that has some, or else of the nearest above.
 */
export const rpmOrigins: DatabaseCoalescing["origins"] = (layers, image) => {
  const named = layers.map(repositoriesIn);
  const installedFrom = installedFromIn(layers, image);
  return ({ finding, introducedAt }) => {
    const ofLayer =
      named.slice(0, introducedAt + 1).findLast(isThere) ?? named.slice(introducedAt + 1).find(isThere) ?? [];
    const name = installedFrom.get(originKey(finding.package)) ?? installedFrom.get(withoutEpoch(finding.package));
    if (name !== undefined && isExtra(name)) return [{ name, key: thirdPartyKey }];
    return name === undefined ? ofLayer : [{ name, key: dnfRepositoryKey }, ...ofLayer];
  };
};

/** The repository of each package in the histories of the finished image. That of dnf 5 counts before that of dnf 4. */
function installedFromIn(layers: readonly EcosystemLayer[], image: ImageView): ReadonlyMap<string, string> {
  const histories = layers.flatMap(({ findings }, index) =>
    findings.flatMap((each) => (each.kind === "origins" && image.survives(each.path, index) ? [{ each, index }] : [])),
  );
  const found = new Map<string, string>();
  for (const { each, index } of histories.toSorted((a, b) => rankOf(b.each) - rankOf(a.each))) {
    const isLogThere = each.log === undefined || image.survives(each.log, index);
    const packages = isLogThere ? each.packages : (each.withoutLog ?? {});
    for (const [repository, keys] of Object.entries(packages)) for (const key of keys) found.set(key, repository);
  }
  return found;
}

/** As yum notes a package. */
function withoutEpoch(found: FoundPackage): string {
  return originKey({ ...found, version: found.version.replace(/^\d+:/, "") });
}

function rankOf({ path }: OriginsFinding): number {
  return historyPaths.indexOf(path);
}

function repositoriesIn({ findings }: EcosystemLayer): readonly Repository[] {
  return findings.flatMap((finding) => (finding.kind === "repository" ? [finding.repository] : []));
}

function isThere(repositories: readonly Repository[]): boolean {
  return repositories.length > 0;
}
