import type { Coverage, Digest, IndexReport } from "@plimsoll/core";
import { oneAtATime, type StoreKind } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { deleteRecords, type IndexedRecords, putRecords } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** Transactions that write images and the reverse index take turns under this name. */
export const manifestWrites = "indexer.manifests";

/** An image that was indexed. */
export interface IndexedManifest {
  readonly report: IndexReport;
  readonly engineState: string;
  readonly layers: readonly Digest[];
  readonly records: IndexedRecords;
  readonly at: number;
  /** The run that did it. */
  readonly run: string;
}

/** The question that is asked most: below the query builder. */
const finishedQuery = {
  sqlite: "select report, engine_state from indexer_manifest where manifest_digest = ?",
  postgres: "select report, engine_state from indexer_manifest where manifest_digest = $1",
} as const satisfies Record<StoreKind, string>;

/** The finished report of an image; only one made under `engineState` where that is given. */
export async function findFinished(
  store: IndexerStore,
  digest: Digest,
  engineState?: string,
): Promise<IndexReport | undefined> {
  const [row] = await store.prepareRead(finishedQuery[store.kind])(digest);
  if (row === undefined) return undefined;
  const [report, state] = row;
  if (engineState !== undefined && state !== engineState) return undefined;
  return parseStoredReport(String(report));
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
  const { report, engineState, layers, records, at, run } = indexed;
  const manifest_digest = report.manifestDigest;
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, manifestWrites, { patient: true });
    const [ended] = await transaction
      .deleteFrom("indexer_run")
      .where("manifest_digest", "=", manifest_digest)
      .where("run", "=", run)
      .execute();
    if (ended?.numDeletedRows !== 1n) return false;
    const values = {
      engine_state: engineState,
      report: JSON.stringify(report),
      indexed_at: at,
      keys_state: records.keysState,
    };
    const { id } = await transaction
      .insertInto("indexer_manifest")
      .values({ manifest_digest, ...values })
      .onConflict((conflict) => conflict.column("manifest_digest").doUpdateSet(values))
      .returning("id")
      .executeTakeFirstOrThrow();
    await putLayers(transaction, id, layers);
    await deleteRecords(transaction, id);
    await putRecords(transaction, id, records);
    return true;
  });
}

async function putLayers(transaction: Transaction<IndexerTables>, manifestId: number, layers: readonly Digest[]) {
  await transaction.deleteFrom("indexer_manifest_layer").where("manifest_id", "=", manifestId).execute();
  const rows = [...new Set(layers)].map((digest) => ({ layer_digest: digest, manifest_id: manifestId }));
  if (rows.length > 0) await transaction.insertInto("indexer_manifest_layer").values(rows).execute();
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
      .returning("id")
      .executeTakeFirst();
    if (manifest === undefined) return run?.numDeletedRows === 1n;
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
  await transaction
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
    .execute();
}

/** Reports that were stored before evidence was kept have no `unassessed`. */
function parseStoredReport(text: string): IndexReport {
  const report = JSON.parse(text) as IndexReport;
  const coverage: Omit<Coverage, "unassessed"> & Partial<Coverage> = report.coverage;
  return coverage.unassessed === undefined ? { ...report, coverage: { ...coverage, unassessed: [] } } : report;
}
