import type { ReactNode } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { Fact } from "../shared/fact.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

type Found = ResultOf<"GET /superuser/garbage">;

const words = texts.administration.garbage;

/** How often a running collection or plan is fetched again, in milliseconds. */
const refetchEveryMs = 1000;

/** Garbage collection: pending deletions, the last collections, and the plan of the next. */
export function Garbage() {
  const garbage = useOperation(
    "GET /superuser/garbage",
    {},
    { refetchInterval: ({ state: { data } }) => (data?.collecting || data?.planning ? refetchEveryMs : false) },
  );
  return (
    <Answered query={garbage}>
      {(found) => (
        <>
          <Section title={words.title} about={words.about}>
            <Waiting waiting={found.waiting} />
            <Actions found={found} />
          </Section>
          <Section title={words.last}>
            <GarbageRun run={found.last} isRunning={found.collecting?.state === "running"} />
          </Section>
          {found.last_freeing && found.last_freeing.started !== found.last?.started && (
            <Section title={words.lastFreeing}>
              <GarbageRun run={found.last_freeing} isRunning={false} />
            </Section>
          )}
          {found.plan && !found.planning && <GarbagePlan plan={found.plan} />}
        </>
      )}
    </Answered>
  );
}

function Waiting({ waiting: { repositories, namespaces, uploads, upload_bytes } }: Pick<Found, "waiting">) {
  const counts = {
    repositories: formatCount(repositories),
    namespaces: formatCount(namespaces),
    uploads: formatCount(uploads),
  };
  return <p>{words.waits({ ...counts, size: formatSize(upload_bytes) })}</p>;
}

function Actions({ found: { collecting, planning, last, plan } }: { readonly found: Found }) {
  const collect = useChange("POST /superuser/garbage/collect", ["GET /superuser/garbage"]);
  const make = useChange("POST /superuser/garbage/plan", ["GET /superuser/garbage"]);
  return (
    <>
      {planning ? (
        <Live
          job={planning}
          text={words.planning[planning.state]}
          progress={plan?.ended === null ? plan : null}
          cancel={words.cancelPlanning}
        />
      ) : (
        <ActionButton label={words.plan} change={make} given={{}} />
      )}
      {collecting ? (
        <Live
          job={collecting}
          text={words.collecting[collecting.state]}
          progress={last?.ended === null ? last : null}
          cancel={words.cancelCollecting}
        />
      ) : (
        <ActionButton label={words.collect} change={collect} given={{}} />
      )}
    </>
  );
}

interface LiveProps {
  readonly job: NonNullable<Found["collecting"]>;
  readonly text: string;
  /** The progress so far; null before the job has reported any. */
  readonly progress: Run | null;
  /** The label of the button that cancels it. */
  readonly cancel: string;
}

/** A job that waits or runs. */
function Live({ job: { job_id, state }, text, progress, cancel }: LiveProps): ReactNode {
  const stop = useChange("POST /superuser/jobs/{job_id}/cancel", ["GET /superuser/garbage"]);
  const items = progress?.counts.reduce((sum, each) => sum + each.items, 0) ?? 0;
  return (
    <div role="status">
      <p>
        {text} {state === "running" && words.progress(formatCount(progress?.repositories ?? 0), formatCount(items))}
      </p>
      <ActionButton label={cancel} change={stop} given={{ params: { job_id } }} />
    </div>
  );
}

type Plan = NonNullable<ResultOf<"GET /superuser/garbage">["plan"]>;

/** A plan: what a collection would remove, and what it would keep and why. */
function GarbagePlan({ plan }: { readonly plan: Plan }) {
  const { counts, bytes, partial, kept } = plan;
  return (
    <>
      <Section title={words.wouldTitle}>
        <RunFacts run={plan} isRunning={false} />
        {partial && <p className="notice">{words.partial}</p>}
        {counts.length > 0 ? (
          <>
            <p>{words.wouldFree(formatSize(bytes))}</p>
            <RunCounts counts={counts} />
          </>
        ) : (
          plan.ended !== null && <p className="empty">{words.wouldNothing}</p>
        )}
      </Section>
      {kept && (
        <Section title={words.keptTitle}>
          {kept.held && <p className="notice">{words.held}</p>}
          <Table columns={columns} rows={linesOf(kept)} keyOf={({ what }) => what} />
        </Section>
      )}
    </>
  );
}

interface KeptLine {
  readonly what: string;
  readonly number: string;
  readonly why: string;
}

function linesOf(kept: NonNullable<Plan["kept"]>): readonly KeptLine[] {
  const line = ([what, why]: readonly [string, string], count: number, bytes?: number): KeptLine => ({
    ...{ what, why },
    number: bytes === undefined ? formatCount(count) : `${formatCount(count)} (${formatSize(bytes)})`,
  });
  return [
    line(words.kept.tags, kept.tags),
    line(words.kept.manifests, kept.manifests),
    line(words.kept.links, kept.links),
    line(words.kept.uploads, kept.uploads, kept.upload_bytes),
    line(words.kept.stored, kept.stored_blobs, kept.stored_bytes),
  ];
}

const columns: readonly Column<KeptLine>[] = [
  { title: words.keptColumns.what, isName: true, cell: ({ what }) => what },
  { title: words.keptColumns.number, isNumber: true, cell: ({ number }) => number },
  { title: words.keptColumns.why, isText: true, cell: ({ why }) => why },
];

/** A collection or a plan. */
type Run = NonNullable<ResultOf<"GET /superuser/garbage">["last"]>;

/** A collection: when it ran, and what it removed. */
function GarbageRun({ run, isRunning }: { readonly run: Run | null; readonly isRunning: boolean }) {
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
function RunFacts({ run, isRunning }: { readonly run: Run; readonly isRunning: boolean }) {
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
function RunCounts({ counts }: Pick<Run, "counts">) {
  return <Table columns={garbageRunColumns} rows={counts} keyOf={({ kind }) => kind} />;
}

const garbageRunColumns: readonly Column<Run["counts"][number]>[] = [
  { title: words.columns.kind, isName: true, cell: ({ kind }) => words.kinds[kind] },
  { title: words.columns.items, isNumber: true, cell: ({ items }) => formatCount(items) },
  { title: words.columns.size, isNumber: true, cell: ({ bytes }) => (bytes === 0 ? "–" : formatSize(bytes)) },
];
