import type { Json, VulnerabilityJson } from "@plimsoll/core";
import type { AffectedSource, Vulnerabilities } from "./ports.ts";
import { summarize, type VulnerabilitySummary } from "./values/notification.ts";

/** Vulnerabilities of one question. */
const perQuestion = 1_000;

/** What finding affected manifests may be given. */
export interface FindAffectedOptions {
  readonly signal?: AbortSignal;
  /** Called before each question. */
  readonly onQuestion?: () => Promise<void>;
}

/** Every one of the vulnerabilities applies to every one of the manifests. */
export interface AffectedVulnerabilities {
  readonly vulnerabilities: readonly VulnerabilitySummary[];
  /** Digests. */
  readonly manifests: readonly string[];
}

/**
 * The manifests that vulnerabilities apply to, as they are found; a pair may come several times. What belongs to one group
 * is asked in one question, as it is judged together.
 */
export async function* findAffected(
  source: AffectedSource,
  vulnerabilities: Vulnerabilities,
  options: FindAffectedOptions = {},
): AsyncGenerator<AffectedVulnerabilities> {
  let batch: VulnerabilityJson[] = [];
  for await (const vulnerability of vulnerabilities) {
    if (batch.length > 0 && !belongs(vulnerability, batch)) {
      yield* ask(source, batch, options);
      batch = [];
    }
    batch.push(vulnerability);
  }
  if (batch.length > 0) yield* ask(source, batch, options);
}

/** Whether a vulnerability has its place in the question that is being put together. */
function belongs(vulnerability: VulnerabilityJson, batch: readonly VulnerabilityJson[]): boolean {
  const group = groupOf(vulnerability);
  const [first] = batch;
  if (first === undefined || group !== groupOf(first)) return false;
  return group !== undefined || batch.length < perQuestion;
}

/** `rule.group`, which a matcher of ours writes beside the members of the contract. */
function groupOf(vulnerability: VulnerabilityJson & { readonly rule?: { readonly group?: string } }) {
  return vulnerability.rule?.group;
}

async function* ask(
  source: AffectedSource,
  batch: readonly VulnerabilityJson[],
  { signal, onQuestion }: FindAffectedOptions,
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
