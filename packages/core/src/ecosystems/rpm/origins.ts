import type { DatabaseCoalescing } from "../../index/coalesce-databases.ts";
import { dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { EcosystemLayer } from "../../plugins/coalescer.ts";

type Repository = Omit<PackageRepository, "id">;

/**
 * The repositories of rpm packages: the one from which dnf installed a package, and those in the build files of its layer. A layer without such
 * files has the repositories of the nearest layer below that has some, or else of the nearest above.
 */
export const rpmOrigins: DatabaseCoalescing["origins"] = (layers) => {
  const named = layers.map(repositoriesIn);
  return ({ finding, introducedAt }) => {
    const ofLayer =
      named.slice(0, introducedAt + 1).findLast(isThere) ?? named.slice(introducedAt + 1).find(isThere) ?? [];
    const { installedFrom } = finding;
    return installedFrom === undefined ? ofLayer : [{ name: installedFrom, key: dnfRepositoryKey }, ...ofLayer];
  };
};

function repositoriesIn({ findings }: EcosystemLayer): readonly Repository[] {
  return findings.flatMap((finding) => (finding.kind === "repository" ? [finding.repository] : []));
}

function isThere(repositories: readonly Repository[]): boolean {
  return repositories.length > 0;
}
