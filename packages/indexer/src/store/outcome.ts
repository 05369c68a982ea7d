import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { SqlRow, StoreKind } from "@plimsoll/store";
import { parseReport } from "../values/parse-report.ts";
import { findPieces } from "./long-text.ts";
import { type Run, runOf } from "./runs.ts";
import type { IndexerStore } from "./tables.ts";

/** The stored outcome of indexing an image. */
export interface Outcome {
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
