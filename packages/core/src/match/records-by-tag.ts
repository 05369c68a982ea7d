import type { EnrichmentRecord } from "../plugins/enricher.ts";

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
