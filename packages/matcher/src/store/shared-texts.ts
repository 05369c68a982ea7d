import { hash } from "node:crypto";
import type { Transaction } from "kysely";
import type { MatcherTables } from "./tables.ts";

/** Characters of what a text is about that its id begins with, and of its digest behind them: 96 bits. */
const aboutLength = 20;
const digestLength = 16;

/**
 * The id of a text: what it is about, as far as that tells ids apart, and its SHA-256 digest. Feeds bring what is about one
 * vulnerability, or about those of one year, together: ids that begin alike lie side by side in the indexes, where digests alone would
 * write another page of them for each text.
 */
export function textIdOf(about: string, text: string): string {
  return `${about.slice(0, aboutLength)}:${hash("sha256", text, "base64url").slice(0, digestLength)}`;
}

/** Between which ids all texts about something are, in bytewise order; texts about others may be there too. */
export function textIdsOf(about: string): { readonly from: string; readonly before: string } {
  const start = about.slice(0, aboutLength);
  return { from: `${start}:`, before: `${start};` }; // `;` is the character behind `:`
}

/** How many ids one statement takes. */
const idsPerQuery = 1_000;

/** Deletes those of the texts that nothing names any more; returns how many. */
export async function deleteUnusedTexts(
  transaction: Transaction<MatcherTables>,
  ids: Iterable<string>,
): Promise<number> {
  let deleted = 0;
  const candidates = [...new Set(ids)];
  for (let at = 0; at < candidates.length; at += idsPerQuery) {
    let query = transaction.deleteFrom("shared_text").where("id", "in", candidates.slice(at, at + idsPerQuery));
    for (const table of ["advisory", "enrichment"] as const) {
      query = query.where(({ not, exists, selectFrom, ref }) =>
        not(exists(selectFrom(table).select("text_id").where("text_id", "=", ref("shared_text.id")))),
      );
    }
    const [result] = await query.execute();
    deleted += Number(result?.numDeletedRows ?? 0n);
  }
  return deleted;
}
