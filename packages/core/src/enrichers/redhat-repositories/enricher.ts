import { contentSetName } from "../../ecosystems/rpm/content-set-cpes.ts";
import { feedFiles } from "../../feeds/shared/feed-files.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import type { Json } from "../../model/json-value.ts";
import { contentSetKey, dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import { newestFile } from "../shared/newest-file.ts";
import { repositoryRecords } from "./repository-to-cpe.ts";

const name = "redhat-repositories";

/** Keys of repositories that may be Red Hat's. */
const keys: ReadonlySet<string | undefined> = new Set([contentSetKey, dnfRepositoryKey]);

/**
 * Adds the Red Hat products to a repository, so that packages are matched by the products of their repositories. It adds nothing to
 * reports.
 * @see https://security.access.redhat.com/data/metrics/repository-to-cpe.json
 */
export const redhatRepositories: Enricher = {
  name,
  type: name,
  updater: snapshotUpdater({
    name,
    location: "https://security.access.redhat.com/data/metrics/repository-to-cpe.json",
    revision: 1,
    items(parts) {
      const { file, skipped } = newestFile(parts.flatMap(feedFiles), mappingName);
      return repositoryRecords(file, skipped);
    },
  }),
  tags: () => [],
  enrich: () => undefined,
  repositories: {
    tagOf: ({ name = "", key }) => (keys.has(key) ? contentSetName(name) : undefined),
    complete: (repository, records) => {
      const cpes = records.flatMap(cpesOf);
      return cpes.length === 0 ? [repository] : cpes.map((cpe): PackageRepository => ({ ...repository, cpe }));
    },
  },
};

const mappingName = /(?:^|\/)repository-to-cpe\.json$/;

function cpesOf({ record }: EnrichmentRecord): readonly string[] {
  return Array.isArray(record) ? (record as readonly Json[]).filter((cpe) => typeof cpe === "string") : [];
}
