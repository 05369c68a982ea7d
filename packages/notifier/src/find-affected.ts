import type { Json, VulnerabilityJson } from "@plimsoll/core/report";
import type { AffectedSource, Vulnerabilities } from "./ports.ts";
import { summarize, type VulnerabilitySummary } from "./values/notification.ts";

/** The most vulnerabilities of one query, unless they belong to one group. */
const maxPerQuery = 1_000;

/** Options of {@link findAffected}. */
export interface FindAffectedOptions {
  readonly signal?: AbortSignal;
  /** Called before each query. */
  readonly onQuery?: () => Promise<void>;
}

/** Vulnerabilities each of which applies to each of the manifests. */
export interface AffectedVulnerabilities {
  readonly vulnerabilities: readonly VulnerabilitySummary[];
  /** Digests. */
  readonly manifests: readonly string[];
}

/**
 * Finds the manifests that vulnerabilities apply to, as a stream. A pair may occur several times. Vulnerabilities of one group are sent in one
 * query, because they are judged together.
 */
export async function* findAffected(
  source: AffectedSource,
  vulnerabilities: Vulnerabilities,
  options: FindAffectedOptions = {},
): AsyncGenerator<AffectedVulnerabilities> {
  let batch: VulnerabilityJson[] = [];
  for await (const vulnerability of vulnerabilities) {
    if (batch.length > 0 && !belongs(vulnerability, batch)) {
      yield* queryAffected(source, batch, options);
      batch = [];
    }
    batch.push(vulnerability);
  }
  if (batch.length > 0) yield* queryAffected(source, batch, options);
}

/** Whether a vulnerability belongs to the same query as a batch. */
function belongs(vulnerability: VulnerabilityJson, batch: readonly VulnerabilityJson[]): boolean {
  const group = groupOf(vulnerability);
  const [first] = batch;
  if (first === undefined || group !== groupOf(first)) return false;
  return group !== undefined || batch.length < maxPerQuery;
}

/** `rule.group`, which our matcher adds to the members of the contract. */
function groupOf(vulnerability: VulnerabilityJson & { readonly rule?: { readonly group?: string } }) {
  return vulnerability.rule?.group;
}

async function* queryAffected(
  source: AffectedSource,
  batch: readonly VulnerabilityJson[],
  { signal, onQuery: onQuestion }: FindAffectedOptions,
): AsyncGenerator<AffectedVulnerabilities> {
  signal?.throwIfAborted();
  await onQuestion?.();
  const summaries = new Map(batch.map((vulnerability) => [vulnerability.id, summarize(vulnerability)]));
  const call = signal === undefined ? {} : { signal };
  for await (const { ids, manifests } of source.listAffected(batch as unknown as Json, call)) {
    const vulnerabilities = ids.flatMap((id) => summaries.get(id) ?? []);
    if (vulnerabilities.length > 0) yield { vulnerabilities, manifests };
  }
}
