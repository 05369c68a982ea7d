import type { Digest } from "@plimsoll/core";
import { oneAtATime, StoreError, together } from "@plimsoll/store";
import type { Transaction } from "kysely";
import type { IndexedRecords } from "../values/indexed-records.ts";
import type { TextPieces } from "../values/text-pieces.ts";
import {
  beginDraft,
  type Draft,
  deleteLeftovers,
  dropDraft,
  endDraft,
  holderOf,
  keepDraft,
  type Leftover,
  leaveBehind,
  nextManifestId,
} from "./leftovers.ts";
import { longTextOf, putPieces } from "./long-text.ts";
import { manifestWrites, partsOfRecords, putRecords } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** An image that was indexed. */
export interface IndexedManifest {
  readonly manifestDigest: Digest;
  /** See `format-report.ts`. */
  readonly report: TextPieces;
  readonly engineState: string;
  readonly layers: readonly Digest[];
  readonly records: IndexedRecords;
  readonly at: number;
  /** The run that did it; absent where an image was scanned, which has no run. */
  readonly run?: string;
  /** The image's lock, which the caller holds. */
  readonly lock: string;
  /** Gives it up. */
  readonly signal?: AbortSignal;
}

/**
 * Stores a report with all that is looked for by it, and ends its run. A long one is written in many short transactions, the last of
 * which shows it as a whole. Returns false, having stored nothing, when the run is not the image's any more: the image was deleted
 * meanwhile, or another process has taken the run over.
 */
export async function putFinished(store: IndexerStore, indexed: IndexedManifest): Promise<boolean> {
  const { report, records, lock, signal } = indexed;
  const isShort = report.length <= 1 && records.records.length <= 1;
  const shown = isShort
    ? await show(store, indexed)
    : await withDraft(store, { report, records, lock, signal }, (draft) => show(store, indexed, draft));
  if (shown === undefined) return false;
  await deleteLeftovers(store, shown).catch(leaveToOthers);
  return true;
}

/** Of an image, what is long. */
export interface LongContent {
  readonly report: TextPieces;
  readonly records: IndexedRecords;
  /** The lock that the caller holds. */
  readonly lock: string;
  readonly signal?: AbortSignal | undefined;
}

/** Writes a draft, and has it shown. Undefined where another process has the lock by now, or `show` says so: nothing is left then. */
export async function withDraft<Shown>(
  store: IndexerStore,
  content: LongContent,
  show: (draft: Draft) => Promise<Shown | undefined>,
): Promise<Shown | undefined> {
  const draft = await beginDraft(store, content.lock);
  let shown: Shown | undefined;
  try {
    if (await writeDraft(store, draft, content)) shown = await show(draft);
    return shown;
  } finally {
    if (shown === undefined) await dropDraft(store, draft).catch(leaveToOthers);
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

/** What the database's trouble leaves behind is deleted by the next process that indexes the image, or resumes runs. */
function leaveToOthers(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}

/** Shows the image from now on. Returns what is to be deleted of the one that it replaces; undefined where it is not to be shown. */
async function show(
  store: IndexerStore,
  indexed: IndexedManifest,
  draft?: Draft,
): Promise<readonly Leftover[] | undefined> {
  const { manifestDigest: manifest_digest, report, engineState, layers, records, at, run } = indexed;
  const { text, more } = longTextOf(report, draft?.name);
  const stored = { engine_state: engineState, report: text, more, indexed_at: at, keys_state: records.keysState };
  const values = { ...stored, ...(run !== undefined && { scanned: 0 }) };
  const shown = store.transaction(async (transaction) => {
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
    return leaveBehind(transaction, replaced);
  });
  return shown.catch((error: unknown) => {
    if (error instanceof Overtaken) return undefined;
    throw error;
  });
}

async function putLayers(transaction: Transaction<IndexerTables>, manifestId: number, layers: readonly Digest[]) {
  const rows = [...new Set(layers)].map((digest) => ({ layer_digest: digest, manifest_id: manifestId }));
  if (rows.length > 0) await transaction.insertInto("indexer_manifest_layer").values(rows).execute();
}

/** The run is not the image's any more: nothing is stored. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}
