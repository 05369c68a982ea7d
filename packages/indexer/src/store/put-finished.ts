import type { Digest } from "@plimsoll/core/digest";
import { withoutUndefined } from "@plimsoll/core/internal";
import { oneAtATime, StoreError, together } from "@plimsoll/store";
import type { Transaction } from "kysely";
import type { IndexedRecords } from "../values/indexed-records.ts";
import type { TextPieces } from "../values/text-pieces.ts";
import {
  addLeftovers,
  beginDraft,
  type Draft,
  deleteLeftovers,
  dropDraft,
  endDraft,
  holderOf,
  keepDraft,
  type Leftover,
  nextManifestId,
} from "./leftovers.ts";
import { longTextOf, putPieces } from "./long-text.ts";
import { manifestWrites, partsOfRecords, putRecords } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** A finished index of an image. */
export interface IndexedManifest {
  readonly manifestDigest: Digest;
  /** The report as text, see `format-report.ts`. */
  readonly report: TextPieces;
  readonly engineState: string;
  /** The layers, and what else of the cache of layers is deleted with the image. */
  readonly layers: readonly Digest[];
  readonly records: IndexedRecords;
  readonly at: number;
  /** The run that made it; absent for a scanned image, which has no run. */
  readonly run?: string;
  /** The name of the image's lock, which the caller holds. */
  readonly lock: string;
  /** Aborts the write. */
  readonly signal?: AbortSignal;
}

/**
 * Stores a report with its records, and ends its run. A long report is written in many short transactions; the last one makes it visible.
 * Returns false and stores nothing if the run no longer belongs to the image: the image was deleted meanwhile, or another process has
 * taken the run over.
 */
export async function putFinished(store: IndexerStore, indexed: IndexedManifest): Promise<boolean> {
  const { report, records, lock, signal } = indexed;
  const isShort = report.length <= 1 && records.records.length <= 1;
  const published = isShort
    ? await publish(store, indexed)
    : await withDraft(store, { report, records, lock, signal }, (draft) => publish(store, indexed, draft));
  if (published === undefined) return false;
  await deleteLeftovers(store, published).catch(leaveToOthers);
  return true;
}

/** The content of an image that may be long. */
export interface LongContent {
  readonly report: TextPieces;
  readonly records: IndexedRecords;
  /** The name of the lock that the caller holds. */
  readonly lock: string;
  readonly signal?: AbortSignal | undefined;
}

/** Writes a draft and publishes it. Undefined if another process has taken the lock over, or if `publish` returns undefined; the draft is then deleted. */
export async function withDraft<Published>(
  store: IndexerStore,
  content: LongContent,
  publish: (draft: Draft) => Promise<Published | undefined>,
): Promise<Published | undefined> {
  const draft = await beginDraft(store, content.lock);
  let published: Published | undefined;
  try {
    if (await writeDraft(store, draft, content)) published = await publish(draft);
    return published;
  } finally {
    if (published === undefined) await dropDraft(store, draft).catch(leaveToOthers);
  }
}

async function writeDraft(
  store: IndexerStore,
  draft: Draft,
  { report, records, signal }: LongContent,
): Promise<boolean> {
  const { more } = longTextOf(report, draft.name);
  const holder = holderOf(draft);
  if (!(await putPieces(store, { pieces: report, more, holder, signal }))) return false;
  for (const some of partsOfRecords(records)) {
    signal?.throwIfAborted();
    const isKept = await store.relaxed.transaction().execute(async (transaction) => {
      await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
      if (!(await keepDraft(transaction, draft))) return false;
      await putRecords({ transaction, kind: store.kind }, draft.manifestId, some);
      return true;
    });
    if (!isKept) return false;
  }
  return true;
}

/** Ignores errors of the database: the next process that indexes the image or resumes runs deletes the leftovers. */
function leaveToOthers(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}

/** Makes the image visible. Returns the leftovers of the image that it replaces; undefined if the run was taken over. */
async function publish(
  store: IndexerStore,
  indexed: IndexedManifest,
  draft?: Draft,
): Promise<readonly Leftover[] | undefined> {
  const { manifestDigest: manifest_digest, report, engineState, layers, records, at, run } = indexed;
  const { text, more } = longTextOf(report, draft?.name);
  const stored = { engine_state: engineState, report: text, more, indexed_at: at, keys_state: records.keysState };
  const values = withoutUndefined({ ...stored, scanned: run === undefined ? undefined : (0 as const) });
  const published = store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    if (draft !== undefined && !(await endDraft(transaction, draft))) throw new Overtaken();
    const known = transaction.selectFrom("indexer_manifest").where("manifest_digest", "=", manifest_digest);
    const { ended, replaced, manifests } = await together(transaction, {
      ended: transaction
        .deleteFrom("indexer_run")
        .where("manifest_digest", "=", manifest_digest)
        .where("run", "=", run ?? "")
        .returning("run"),
      replaced: known.select(["id", "more"]),
      layers: transaction.deleteFrom("indexer_manifest_layer").where("manifest_id", "in", known.select("id")),
      manifests: transaction
        .insertInto("indexer_manifest")
        .values({ id: draft?.manifestId ?? nextManifestId(store), manifest_digest, scanned: 1, ...values })
        .onConflict((conflict) =>
          conflict.column("manifest_digest").doUpdateSet(({ ref }) => ({ id: ref("excluded.id"), ...values })),
        )
        .returning("id"),
    });
    const [manifest] = manifests;
    if (manifest === undefined || (run !== undefined && ended.length === 0)) throw new Overtaken();
    const id = Number(manifest.id);
    await putLayers(transaction, id, layers);
    if (draft === undefined) {
      for (const some of partsOfRecords(records)) await putRecords({ transaction, kind: store.kind }, id, some);
    }
    return addLeftovers(transaction, replaced);
  });
  return published.catch((error: unknown) => {
    if (error instanceof Overtaken) return undefined;
    throw error;
  });
}

async function putLayers(transaction: Transaction<IndexerTables>, manifestId: number, layers: readonly Digest[]) {
  const rows = [...new Set(layers)].map((digest) => ({ layer_digest: digest, manifest_id: manifestId }));
  if (rows.length > 0) await transaction.insertInto("indexer_manifest_layer").values(rows).execute();
}

/** The run no longer belongs to the image: the transaction is rolled back. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}
