import type { ResultOf } from "../api/operation.ts";
import { Fact } from "../shared/fact.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

/** A collection or a plan. */
export type Run = NonNullable<ResultOf<"GET /superuser/garbage">["last"]>;

const words = texts.administration.garbage;

/** A collection: when it ran, and what it removed. */
export function GarbageRun({ run, isRunning }: { readonly run: Run | null; readonly isRunning: boolean }) {
  if (run === null) return <p className="empty">{words.never}</p>;
  return (
    <>
      <RunFacts run={run} isRunning={isRunning} />
      {run.counts.length === 0 ? (
        run.ended !== null && <p className="empty">{words.nothing}</p>
      ) : (
        <>
          <p>{words.freed(formatSize(run.bytes))}</p>
          <RunCounts counts={run.counts} />
        </>
      )}
    </>
  );
}

/** Start, end and number of checked repositories of a collection or a plan. */
export function RunFacts({ run, isRunning }: { readonly run: Run; readonly isRunning: boolean }) {
  return (
    <dl className="facts">
      <Fact name={words.at}>
        <Time at={run.started} />
      </Fact>
      <Fact name={words.ended}>{run.ended === null ? unended({ isRunning }) : <Time at={run.ended} />}</Fact>
      <Fact name={words.looked}>{formatCount(run.repositories)}</Fact>
    </dl>
  );
}

function unended({ isRunning }: { readonly isRunning: boolean }): string {
  return isRunning ? words.running : words.stopped;
}

/** Number and size of the removed items of each kind. */
export function RunCounts({ counts }: Pick<Run, "counts">) {
  return <Table columns={columns} rows={counts} keyOf={({ kind }) => kind} />;
}

const columns: readonly Column<Run["counts"][number]>[] = [
  { title: words.columns.kind, isName: true, cell: ({ kind }) => words.kinds[kind] },
  { title: words.columns.items, isNumber: true, cell: ({ items }) => formatCount(items) },
  { title: words.columns.size, isNumber: true, cell: ({ bytes }) => (bytes === 0 ? "–" : formatSize(bytes)) },
];
