import type { Digest, IndexReport } from "@plimsoll/core";
import { oneAtATime, type StoreKind, together } from "@plimsoll/store";
import type { Transaction } from "kysely";
import type { IndexedRecords } from "../indexed-records.ts";
import { parseReport } from "../parse-report.ts";
import type { TextPieces } from "../text-pieces.ts";
import { deletePieces, findPieces, putPieces } from "./long-text.ts";
import { deleteRecords, deleteUnused, putRecords } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** Transactions that write images and the reverse index take turns under this name. */
export const manifestWrites = "indexer.manifests";

/** An image that was indexed. */
export interface IndexedManifest {
  readonly manifestDigest: Digest;
  /** See `format-report.ts`. */
  readonly report: TextPieces;
  readonly engineState: string;
  readonly layers: readonly Digest[];
  readonly records: IndexedRecords;
  readonly at: number;
  /** The run that did it. */
  readonly run: string;
}

/** The question that is asked most: below the query builder. */
const finishedQuery = {
  sqlite: "select report, engine_state, more from indexer_manifest where manifest_digest = ?",
  postgres: "select report, engine_state, more from indexer_manifest where manifest_digest = $1",
} as const satisfies Record<StoreKind, string>;

/** The finished report of an image; only one made under `engineState` where that is given. */
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
    if (more === before) return undefined; // not replaced meanwhile, but damaged
    before = more;
  }
}

/** The index state that the finished report of an image was made under. */
export async function findFinishedState({ db }: IndexerStore, digest: Digest): Promise<string | undefined> {
  const row = await db
    .selectFrom("indexer_manifest")
    .select("engine_state")
    .where("manifest_digest", "=", digest)
    .executeTakeFirst();
  return row?.engine_state;
}

/**
 * Stores a report with all that is looked for by it, and ends its run. Returns false, having stored nothing, when the run
 * is not the image's any more: the image was deleted meanwhile, or somebody has taken the run over.
 */
export async function putFinished(store: IndexerStore, indexed: IndexedManifest): Promise<boolean> {
  const { manifestDigest: manifest_digest, report, engineState, layers, records, at, run } = indexed;
  const stored = store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, manifestWrites, { patient: true });
    const { text, more } = await putPieces(transaction, report);
    const values = { engine_state: engineState, report: text, more, indexed_at: at, keys_state: records.keysState };
    const known = transaction.selectFrom("indexer_manifest").where("manifest_digest", "=", manifest_digest);
    const { ended, replaced, freed, manifests } = await together(transaction, {
      ended: transaction
        .deleteFrom("indexer_run")
        .where("manifest_digest", "=", manifest_digest)
        .where("run", "=", run)
        .returning("run"),
      replaced: known.select("more").where("more", "is not", null),
      layers: transaction.deleteFrom("indexer_manifest_layer").where("manifest_id", "in", known.select("id")),
      freed: transaction
        .deleteFrom("indexer_manifest_record")
        .where("manifest_id", "in", known.select("id"))
        .returning("record_id"),
      manifests: transaction
        .insertInto("indexer_manifest")
        .values({ manifest_digest, ...values })
        .onConflict((conflict) => conflict.column("manifest_digest").doUpdateSet(values))
        .returning("id"),
    });
    const [manifest] = manifests;
    if (ended.length === 0 || manifest === undefined) throw new Overtaken();
    await deletePieces(transaction, replaced);
    await deleteUnused(transaction, freed);
    const rows = [...new Set(layers)].map((digest) => ({ layer_digest: digest, manifest_id: manifest.id }));
    if (rows.length > 0) await transaction.insertInto("indexer_manifest_layer").values(rows).execute();
    await putRecords({ transaction, kind: store.kind }, manifest.id, records);
    return true;
  });
  return stored.catch((error: unknown) => {
    if (error instanceof Overtaken) return false;
    throw error;
  });
}

/** The run is not the image's any more: nothing is stored. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/**
 * Deletes all that is stored of an image, its run too, and what was found in layers that no other image has. Returns
 * whether there was anything.
 */
export async function deleteManifest(store: IndexerStore, digest: Digest): Promise<boolean> {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, manifestWrites, { patient: true });
    const [run] = await transaction.deleteFrom("indexer_run").where("manifest_digest", "=", digest).execute();
    const manifest = await transaction
      .deleteFrom("indexer_manifest")
      .where("manifest_digest", "=", digest)
      .returning(["id", "more"])
      .executeTakeFirst();
    if (manifest === undefined) return run?.numDeletedRows === 1n;
    await deletePieces(transaction, [manifest]);
    await deleteRecords(transaction, manifest.id);
    await deleteLayers(transaction, manifest.id);
    return true;
  });
}

async function deleteLayers(transaction: Transaction<IndexerTables>, manifestId: number): Promise<void> {
  const rows = await transaction
    .deleteFrom("indexer_manifest_layer")
    .where("manifest_id", "=", manifestId)
    .returning("layer_digest")
    .execute();
  if (rows.length === 0) return;
  const deleted = await transaction
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
  await deletePieces(transaction, deleted);
}
