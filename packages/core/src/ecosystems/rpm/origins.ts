import type { DatabaseCoalescing } from "../../index/coalesce-databases.ts";
import { dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { EcosystemLayer } from "../../plugins/coalescer.ts";

type Repository = Omit<PackageRepository, "id">;

/**
 * Where rpm packages come from: the repository that dnf installed one from, and what the build of its layer says. A layer without such
 * files was built like the one below; those below all others like the first that has some.
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
