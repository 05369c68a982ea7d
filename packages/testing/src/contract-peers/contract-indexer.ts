import { BulkDeleteSchema, ManifestSchema, SummariesSchema } from "./contract-schemas.ts";
import { refusal, type StrictOperation, type StrictService, startStrictService } from "./strict-service.ts";

/** What an indexer of the contract finds in every image. */
export interface ContractContent {
  /** The name of its only package, and its version. */
  readonly package: { readonly name: string; readonly version: string };
  readonly distribution: { readonly did: string; readonly version: string };
}

/** The prefix of the digest of an image that the indexer refuses. */
export const refusedDigest = `sha256:${"0".repeat(64)}`;

/**
 * Starts an indexer that keeps the contract to the letter and has nothing more: optional members are absent, ids are its own, and only the
 * media types of the contract are accepted.
 */
export function startContractIndexer(content: ContractContent): Promise<StrictService> {
  const indexed = new Set<string>();
  const path = "/indexer/api/v1/index_report";
  return startStrictService([
    submission(content, indexed),
    {
      ...{ method: "GET", path: `${path}/*`, response: "index_report" },
      answer: ({ last }) =>
        indexed.has(last) ? { status: 200, body: reportOf(last, content) } : refusal(404, "it is not indexed"),
    },
    {
      ...{ method: "DELETE", path, response: "bulk_delete" },
      request: { type: "bulk_delete", schema: BulkDeleteSchema },
      answer: ({ body }) => ({ status: 200, body: (body as string[]).filter((digest) => indexed.delete(digest)) }),
    },
    {
      ...{ method: "GET", path: "/indexer/api/v1/index_state", response: "index_state" },
      answer: () => ({ status: 200, body: { state: "one" }, headers: { etag: '"one"' } }),
    },
    affectedManifests(content, indexed),
  ]);
}

function submission(content: ContractContent, indexed: Set<string>): StrictOperation {
  const path = "/indexer/api/v1/index_report";
  return {
    ...{ method: "POST", path, response: "index_report" },
    request: { type: "manifest", schema: ManifestSchema },
    answer: ({ body }) => {
      const { hash } = body as { readonly hash: string };
      if (hash === refusedDigest) return refusal(400, "its first layer is no archive");
      indexed.add(hash);
      const headers = { location: `${path}/${hash}`, link: `<${path}/${hash}>; rel="self"` };
      return { status: 201, body: reportOf(hash, content), headers };
    },
  };
}

/** The required members, and of the others only those without which no advisory can apply. */
function reportOf(manifest_hash: string, { package: found, distribution }: ContractContent) {
  return {
    ...{ manifest_hash, state: "finished", success: true },
    packages: { found },
    distributions: { system: { id: "system", ...distribution } },
    environments: { found: [{ distribution_id: "system" }] },
  };
}

interface Summary {
  readonly name: string;
  readonly package?: { readonly name: string };
  readonly distribution?: { readonly did?: string };
}

function affectedManifests({ package: found, distribution }: ContractContent, indexed: Set<string>): StrictOperation {
  return {
    ...{ method: "POST", path: "/indexer/api/v1/internal/affected_manifest", response: "affected_manifests" },
    request: { type: "vulnerability_summaries", schema: SummariesSchema },
    answer: ({ body }) => {
      const summaries = body as readonly Summary[];
      const hits = summaries.flatMap((summary, place) =>
        summary.package?.name === found.name && summary.distribution?.did === distribution.did ? [`v${place}`] : [],
      );
      const manifests = hits.length === 0 ? [] : [...indexed].map((digest) => [digest, hits]);
      const vulnerabilities = Object.fromEntries(
        summaries.map((each, place) => [`v${place}`, { id: `v${place}`, ...each }]),
      );
      return { status: 200, body: { vulnerable_manifests: Object.fromEntries(manifests), vulnerabilities } };
    },
  };
}
