import { hash } from "node:crypto";
import type { Transaction } from "kysely";
import type { MatcherTables } from "./tables.ts";

/** The id of a text: 128 bits of its SHA-256 digest. */
export function textIdOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
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
