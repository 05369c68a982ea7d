import { hash } from "node:crypto";
import type { Transaction } from "kysely";
import type { MatcherTables } from "./tables.ts";

/** The lengths of the two parts of a text's id: the beginning of its subject, and of its digest (96 bits). */
const aboutLength = 20;
const digestLength = 16;

/**
 * The id of a text: the beginning of its subject, and of its SHA-256 digest. Feeds list texts about one vulnerability or one year together. Ids
 * with the same beginning are adjacent in the indexes, whereas digests alone would write another page for each text.
 */
export function textIdOf(about: string, text: string): string {
  return `${about.slice(0, aboutLength)}:${hash("sha256", text, "base64url").slice(0, digestLength)}`;
}

/** The range of ids of all texts about a subject, in bytewise order. It may contain texts about other subjects. */
export function textIdsOf(about: string): { readonly from: string; readonly before: string } {
  const start = about.slice(0, aboutLength);
  return { from: `${start}:`, before: `${start};` }; // `;` is the character after `:`
}

/** The number of ids of one statement. */
const idsPerQuery = 1_000;

/** Deletes the given texts that no row names. Returns their number. */
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
