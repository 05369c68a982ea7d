import { contentSetName } from "../../ecosystems/rpm/content-set-cpes.ts";
import { feedFiles } from "../../feeds/shared/feed-files.ts";
import { feedParts } from "../../feeds/shared/feed-parts.ts";
import type { Json } from "../../model/json-value.ts";
import { contentSetKey, dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import { newestFile } from "../shared/newest-file.ts";
import { repositoryRecords } from "./repository-to-cpe.ts";

/** Increased when the same document would give other records. */
const revision = 1;

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
  updater: {
    name,
    location: "https://security.access.redhat.com/data/metrics/repository-to-cpe.json",
    async update(feeds, previous) {
      const parts = feedParts(feeds, revision, previous);
      const changed = await parts.finish([await parts.get()]);
      if (changed === undefined) return { kind: "unchanged" };
      const { file, skipped } = newestFile(changed.parts.flatMap(feedFiles), mappingName);
      return { kind: "snapshot", fingerprint: changed.fingerprint, items: repositoryRecords(file, skipped) };
    },
  },
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
