import type { Advisory } from "@plimsoll/core";
import type { EnrichmentRecord } from "@plimsoll/core/plugins";
import { encodeAdvisory, isStorable } from "./advisory-row.ts";
import { textIdOf } from "./shared-texts.ts";
import type { AdvisoryColumns } from "./tables.ts";

/** Encoded rows, and the texts that they name. */
export interface EncodedBatch<Row> {
  readonly rows: readonly Row[];
  readonly texts: ReadonlyMap<string, string>;
}

/** An enrichment record under one of its tags. */
export interface TaggedRecord {
  readonly tag: string;
  readonly record: EnrichmentRecord;
}

/** The content columns of an enrichment. */
export interface EnrichmentColumns {
  readonly tag: string;
  readonly text_id: string;
}

/** Encodes advisories; of several with one id the last wins. Those with a NUL, which cannot be stored, are returned separately. */
export function encodeAdvisories(
  advisories: readonly Advisory[],
): EncodedBatch<AdvisoryColumns> & { readonly refused: readonly Advisory[] } {
  const rows = new Map<string, AdvisoryColumns>();
  const texts = new Map<string, string>();
  const refused: Advisory[] = [];
  for (const advisory of advisories) {
    const { columns, text } = encodeAdvisory(advisory);
    if (!isStorable(columns)) {
      refused.push(advisory);
      continue;
    }
    rows.set(columns.advisory_id, columns);
    texts.set(columns.text_id, text);
  }
  return { rows: [...rows.values()], texts, refused };
}

/** Encodes enrichment records, one row for each given tag. */
export function encodeRecords(records: Iterable<TaggedRecord>): EncodedBatch<EnrichmentColumns> {
  const rows: EnrichmentColumns[] = [];
  const texts = new Map<string, string>();
  const ids = new Map<EnrichmentRecord, string>();
  for (const { tag, record: whole } of records) {
    const { tags, record } = whole;
    let textId = ids.get(whole);
    if (textId === undefined) {
      const text = JSON.stringify({ tags, record });
      textId = textIdOf(tags[0] ?? "", text);
      ids.set(whole, textId);
      texts.set(textId, text);
    }
    rows.push({ tag, text_id: textId });
  }
  return { rows, texts };
}
