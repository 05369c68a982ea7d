import { type IndexReport, ScanError, type ScanErrorCode } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import {
  type IndexProgress,
  indexStates,
  type Manifest,
  parseManifest,
  scanErrorCodes,
  toManifestJson,
} from "@plimsoll/core/internal";
import type { SqlRow, StoreKind } from "@plimsoll/store";
import { parseReport } from "../values/parse-report.ts";
import { findPieces } from "./long-text.ts";
import type { IndexerStore, RunTable } from "./tables.ts";

/** The current run of an image, or the last one if it failed. */
export interface Run {
  readonly id: string;
  readonly state: IndexProgress;
  /** Present if it failed. */
  readonly failure?: RunFailure;
}

/** The failure of a run. `code` is absent for an internal error. */
export interface RunFailure {
  readonly code?: ScanErrorCode;
  readonly message: string;
}

/** A run that has not ended: it is running, or was interrupted. */
interface OpenRun {
  readonly id: string;
  readonly manifest: Manifest;
  readonly attempts: number;
}

/** A run to begin. */
interface NewRun extends OpenRun {
  readonly at: number;
}

/** Stores the beginning of a run. It replaces the last run of the image. */
export async function beginRun({ db }: IndexerStore, { id, manifest, attempts, at }: NewRun): Promise<void> {
  const values = {
    run: id,
    state: "FetchLayers",
    manifest: JSON.stringify(toManifestJson(manifest)),
    attempts,
    error_code: null,
    error: null,
    changed_at: at,
  };
  await db
    .insertInto("indexer_run")
    .values({ manifest_digest: manifest.digest, ...values })
    .onConflict((conflict) => conflict.column("manifest_digest").doUpdateSet(values))
    .execute();
}

/** Stores the failure of a run, unless another run has replaced it. The manifest, which has secrets, is deleted. */
export async function failRun(
  { db }: IndexerStore,
  digest: Digest,
  run: { readonly id: string; readonly failure: RunFailure; readonly at: number },
): Promise<void> {
  await db
    .updateTable("indexer_run")
    .set({
      state: "IndexError",
      manifest: null,
      error_code: run.failure.code ?? null,
      error: run.failure.message.replaceAll("\0", "\ufffd"), // PostgreSQL's text has no NUL
      changed_at: run.at,
    })
    .where("manifest_digest", "=", digest)
    .where("run", "=", run.id)
    .execute();
}

/** The run of an image. */
export async function findRun({ db }: IndexerStore, digest: Digest): Promise<Run | undefined> {
  const row = await db
    .selectFrom("indexer_run")
    .select(["run", "state", "error_code", "error"])
    .where("manifest_digest", "=", digest)
    .executeTakeFirst();
  return row && runOf(row);
}

/** Reads a stored run. */
function runOf(row: Pick<RunTable, "run" | "state" | "error_code" | "error">): Run {
  const state = indexStates.find((known) => known === row.state) ?? "CheckManifest";
  const code = scanErrorCodes.find((known) => known === row.error_code);
  const failure = { code, message: row.error ?? "" };
  return { id: row.run, state, failure: state === "IndexError" ? failure : undefined };
}

/** The images whose runs have not ended, the longest unchanged first. */
export async function listOpenRuns({ db }: IndexerStore): Promise<readonly Digest[]> {
  const rows = await db
    .selectFrom("indexer_run")
    .select("manifest_digest")
    .where("manifest", "is not", null)
    .orderBy("changed_at")
    .orderBy("manifest_digest")
    .execute();
  return rows.map(({ manifest_digest }) => parseDigest(manifest_digest));
}

/** The run of an image, if it has not ended. */
export async function findOpenRun({ db }: IndexerStore, digest: Digest): Promise<OpenRun | undefined> {
  const row = await db
    .selectFrom("indexer_run")
    .select(["run", "manifest", "attempts"])
    .where("manifest_digest", "=", digest)
    .executeTakeFirst();
  if (row?.manifest == null) return undefined;
  return { id: row.run, manifest: parseManifest(JSON.parse(row.manifest)), attempts: row.attempts };
}

/** The failure of a run as an error. */
export function toError({ code, message }: RunFailure): Error {
  return code === undefined ? new Error(message) : new ScanError(code, message);
}

/** The report of an image without a finished one: the state or failure of its run. */
export function reportOfRun(manifestDigest: Digest, { state, failure }: Run): IndexReport {
  const problem = failure && { at: manifestDigest, code: failure.code ?? "internal", message: failure.message };
  return {
    manifestDigest,
    state,
    success: false,
    error: failure?.message,
    packages: {},
    distributions: {},
    repositories: {},
    environments: {},
    coverage: {
      status: "partial",
      layers: [],
      databases: [],
      problems: problem === undefined ? [] : [problem],
      unassessed: [],
      thirdPartyPackages: 0,
    },
  };
}

/**
 * Checks that the indexer's tables can be read.
 * @throws StoreError if the database cannot be read
 * @example
 * declare const store: IndexerStore;
 * await checkDatabase(store);
 */
export async function checkDatabase({ db }: IndexerStore): Promise<void> {
  await db.selectFrom("indexer_run").select("run").limit(1).execute();
}

/** The stored outcome of indexing an image. */
interface Outcome {
  readonly finished?: IndexReport;
  /** The current run, or the last one if it failed. */
  readonly run?: Run;
}

/** Written without the query builder, because it runs several times for each pushed image. */
const outcomeQuery = (image: string) => `
  select report, more, engine_state, run, state, error_code, error from (select ${image} as digest) as image
  left join indexer_manifest on indexer_manifest.manifest_digest = image.digest and indexer_manifest.scanned = 0
  left join indexer_run on indexer_run.manifest_digest = image.digest`;

const queries = { sqlite: outcomeQuery("?"), postgres: outcomeQuery("$1::text") } as const satisfies Record<
  StoreKind,
  string
>;

/** The report of an image with the index state `engineState`, and its run. One statement, unless the report is long. */
export async function findOutcome(store: IndexerStore, digest: Digest, engineState: string): Promise<Outcome> {
  const read = store.prepareRead(queries[store.kind]);
  for (let before: string | null = null; ; ) {
    const [row = []] = await read(digest);
    const [report = null, more = null, reportState, ...columns] = row;
    const run = runOfColumns(columns);
    if (report === null || reportState !== engineState) return { run };
    const others = textOf(more);
    const pieces = await findPieces(store.db, { text: String(report), more: others });
    if (pieces !== undefined) return { finished: await parseReport(pieces), run };
    if (others === before) return { run }; // the pieces are missing although the text was not replaced: it is damaged
    before = others;
  }
}

function runOfColumns([run = null, state, error_code = null, error = null]: SqlRow): Run | undefined {
  if (run === null) return undefined;
  return runOf({ run: String(run), state: String(state), error_code: textOf(error_code), error: textOf(error) });
}

function textOf(value: SqlRow[number]): string | null {
  return value === null ? null : String(value);
}
