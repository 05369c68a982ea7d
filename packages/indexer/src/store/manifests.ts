import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { oneAtATime, type StoreKind } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { parseReport } from "../values/parse-report.ts";
import { addLeftovers, deleteLeftovers } from "./leftovers.ts";
import { findPieces, type LongText } from "./long-text.ts";
import { manifestWrites } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** The most frequent query, written without the query builder. */
const finishedQuery = {
  sqlite: "select report, engine_state, more from indexer_manifest where manifest_digest = ? and scanned = 0",
  postgres: "select report, engine_state, more from indexer_manifest where manifest_digest = $1 and scanned = 0",
} as const satisfies Record<StoreKind, string>;

/** The finished report of an image that the service has indexed. @param engineState the required index state; any by default */
export async function findFinished(
  store: IndexerStore,
  digest: Digest,
  engineState?: string,
): Promise<IndexReport | undefined> {
  const read = store.prepareRead(finishedQuery[store.kind]);
  for (let before: string | null = null; ; ) {
    const [row] = await read(digest);
    if (row === undefined || (engineState !== undefined && row[1] !== engineState)) return undefined;
    const [report, , others] = row;
    const more = others == null ? null : String(others);
    const pieces = await findPieces(store.db, { text: String(report), more });
    if (pieces !== undefined) return parseReport(pieces);
    if (more === before) return undefined; // the pieces are missing although the text was not replaced: it is damaged
    before = more;
  }
}

/** The index state of an image's finished report. */
export async function findFinishedState({ db }: IndexerStore, digest: Digest): Promise<string | undefined> {
  const row = await db
    .selectFrom("indexer_manifest")
    .select("engine_state")
    .where("manifest_digest", "=", digest)
    .where("scanned", "=", 0)
    .executeTakeFirst();
  return row?.engine_state;
}

/**
 * Deletes all data of an image, including its run and the findings of layers that no other image has. After the first transaction, no
 * reader sees the image. Returns whether there was any data.
 */
export async function deleteManifest(store: IndexerStore, digest: Digest): Promise<boolean> {
  const { wasThere, left } = await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    const [run] = await transaction.deleteFrom("indexer_run").where("manifest_digest", "=", digest).execute();
    const manifest = await transaction
      .deleteFrom("indexer_manifest")
      .where("manifest_digest", "=", digest)
      .returning(["id", "more"])
      .executeTakeFirst();
    if (manifest === undefined) return { wasThere: run?.numDeletedRows === 1n, left: [] };
    const layers = await deleteLayers(transaction, manifest.id);
    return { wasThere: true, left: await addLeftovers(transaction, [manifest, ...layers]) };
  });
  await deleteLeftovers(store, left);
  return wasThere;
}

/** Deletes the layer list of an image, and the findings of layers that no other image has. Returns the texts whose pieces are left. */
export async function deleteLayers(
  transaction: Transaction<IndexerTables>,
  manifestId: number,
): Promise<readonly Pick<LongText, "more">[]> {
  const rows = await transaction
    .deleteFrom("indexer_manifest_layer")
    .where("manifest_id", "=", manifestId)
    .returning("layer_digest")
    .execute();
  if (rows.length === 0) return [];
  return transaction
    .deleteFrom("indexer_layer")
    .where(
      "layer_digest",
      "in",
      rows.map(({ layer_digest }) => layer_digest),
    )
    .where(({ not, exists, selectFrom, ref }) =>
      not(
        exists(
          selectFrom("indexer_manifest_layer")
            .select("manifest_id")
            .where("layer_digest", "=", ref("indexer_layer.layer_digest")),
        ),
      ),
    )
    .returning("more")
    .execute();
}
