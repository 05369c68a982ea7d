import { atOnce } from "../model/at-once.ts";
import type { Problem } from "../model/index-report.ts";
import type { Enricher, EnrichmentRecord } from "../plugins/enricher.ts";

/** Runs functions of enrichers, and keeps the errors. */
export interface EnricherGuard {
  /** The result of `run`; undefined when it throws or is asynchronous, which becomes a problem of the enricher. */
  attempt<Result>(enricher: Pick<Enricher, "name">, run: () => Result): Result | undefined;
  /** The first problem of each enricher that failed. */
  problems(): readonly Problem[];
}

/** Makes a guard without problems. */
export function guardEnrichers(): EnricherGuard {
  const problems = new Map<string, Problem>();
  return {
    attempt({ name }, run) {
      try {
        return atOnce(run(), name);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!problems.has(name)) problems.set(name, { at: name, code: "enricher_failed", message });
        return undefined;
      }
    },
    problems: () => [...problems.values()],
  };
}

/** Finds the records that have any of the tags, each once. */
export type RecordsOf = (tags: readonly string[]) => readonly EnrichmentRecord[];

/** Groups records of an enricher by their tags. */
export function recordsByTag(records: readonly EnrichmentRecord[]): RecordsOf {
  const byTag = Map.groupBy(
    records.flatMap((record) => record.tags.map((tag) => ({ tag, record }))),
    ({ tag }) => tag,
  );
  return (tags) => [...new Set(tags.flatMap((tag) => byTag.get(tag)?.map(({ record }) => record) ?? []))];
}
