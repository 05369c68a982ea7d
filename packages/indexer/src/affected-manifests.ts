import { hash } from "node:crypto";
import {
  type AdvisoryRule,
  compareSeverity,
  type IndexRecord,
  type Json,
  type Matcher,
  parseVulnerabilitySummaries,
  ScanError,
  type VulnerabilitySummary,
} from "@plimsoll/core";
import { stableJson } from "./stable-json.ts";
import { findManifests, findRecords, keysOf } from "./store/reverse-index.ts";
import type { IndexerStore } from "./store/tables.ts";

/** `affected_manifests` of the scanner API. */
export interface AffectedManifestsJson {
  /** As they were submitted, by their ids; those without one have an id that depends only on their content. */
  readonly vulnerabilities: Readonly<Record<string, Json>>;
  /** Ids by manifest digest, worst severity first. */
  readonly vulnerable_manifests: Readonly<Record<string, readonly string[]>>;
}

/** Where images are looked for, and who judges. */
export interface AffectedOptions {
  readonly matchers: readonly Matcher[];
  readonly store: IndexerStore;
  readonly signal?: AbortSignal;
}

/**
 * Looks vulnerabilities up backwards: the package versions under their keys, judged once each, whatever number of images
 * has them. Each vulnerability is judged alone; what other advisories say of the same one does not matter here.
 * @throws ScanError `malformed_summary`, `aborted`
 */
export async function findAffectedManifests(options: AffectedOptions, json: Json): Promise<AffectedManifestsJson> {
  const summaries = new Map(parseVulnerabilitySummaries(json).map((summary) => [idOf(summary), summary]));
  const affected = await affectedRecords(options, rulesByKey(options.matchers, summaries));
  const ids = new Map<string, Set<string>>();
  for await (const page of findManifests(options.store, [...affected.keys()])) {
    throwIfAborted(options.signal);
    for (const [recordId, manifest] of page) {
      const known = ids.get(manifest) ?? new Set();
      ids.set(manifest, known);
      for (const id of affected.get(recordId) ?? []) known.add(id);
    }
  }
  const severityOf = (id: string) => summaries.get(id)?.normalizedSeverity ?? "Unknown";
  const worstFirst = (a: string, b: string) => compareSeverity(severityOf(b), severityOf(a)) || (a < b ? -1 : 1);
  const manifests = [...ids].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    vulnerabilities: Object.fromEntries([...summaries].map(([id, summary]) => [id, { ...summary.json, id }])),
    vulnerable_manifests: Object.fromEntries(manifests.map(([digest, found]) => [digest, [...found].sort(worstFirst)])),
  };
}

/** The same summary always gets the same id. */
function idOf({ id, json }: VulnerabilitySummary): string {
  return id ?? hash("sha256", stableJson(json), "base64url").slice(0, 22);
}

/** Rules by {@link keyText} of what they speak of. */
type Rules = ReadonlyMap<string, Rule[]>;

interface Rule {
  /** The id of the summary. */
  readonly id: string;
  readonly rule: AdvisoryRule;
}

function keyText(key: { readonly ecosystem: string; readonly name: string }): string {
  return `${key.ecosystem}\n${key.name}`;
}

function rulesByKey(matchers: readonly Matcher[], summaries: ReadonlyMap<string, VulnerabilitySummary>): Rules {
  const rules = new Map<string, Rule[]>();
  for (const [id, summary] of summaries) {
    for (const statement of summary.statements) {
      for (const ecosystem of ecosystemsOf(matchers, summary, statement.packageName)) {
        const key = keyText({ ecosystem, name: statement.packageName });
        const known = rules.get(key) ?? [];
        rules.set(key, known);
        known.push({ id, rule: { ...statement, ecosystem } });
      }
    }
  }
  return rules;
}

/** Where a summary only describes a release, the matchers know under which key a package of it is looked up. */
function ecosystemsOf(
  matchers: readonly Matcher[],
  { origin }: VulnerabilitySummary,
  packageName: string,
): ReadonlySet<string> {
  if (origin.kind === "ecosystem") return new Set([origin.ecosystem]);
  const { distribution, repository } = origin;
  const record: IndexRecord = {
    package: { id: "", name: packageName, version: "", kind: "BINARY" },
    packageDb: "",
    ...(distribution !== undefined && { distribution }),
    repositories: repository === undefined ? [] : [repository],
  };
  return new Set(matchers.flatMap((matcher) => keysOf(matcher, record)).map(({ ecosystem }) => ecosystem));
}

/** The ids of the summaries that apply to records, by record. */
async function affectedRecords(
  { matchers, store, signal }: AffectedOptions,
  rules: Rules,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const keys = [...rules.keys()].map((text) => {
    const end = text.indexOf("\n");
    return { ecosystem: text.slice(0, end), name: text.slice(end + 1) };
  });
  const affected = new Map<number, Set<string>>();
  for await (const { id, record } of findRecords(store, keys)) {
    throwIfAborted(signal);
    const found = new Set(matchers.flatMap((matcher) => judge(matcher, record, rules)));
    if (found.size > 0) affected.set(id, found);
  }
  return affected;
}

function judge(matcher: Matcher, record: IndexRecord, rules: Rules): readonly string[] {
  const candidates = keysOf(matcher, record).flatMap((key) => rules.get(keyText(key)) ?? []);
  return candidates.filter(({ rule }) => isAffected(matcher, record, rule)).map(({ id }) => id);
}

/** Forwards, a matcher that throws leaves the pair undecided: no vulnerability of the report. */
function isAffected(matcher: Matcher, record: IndexRecord, rule: AdvisoryRule): boolean {
  try {
    return matcher.judge(record, rule).kind === "affected";
  } catch {
    return false;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ScanError("aborted", "looking for affected manifests was given up");
}
