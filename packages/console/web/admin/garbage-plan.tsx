import type { ResultOf } from "../api/operation.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { RunCounts, RunFacts } from "./garbage-run.tsx";

type Plan = NonNullable<ResultOf<"GET /superuser/garbage">["plan"]>;

const words = texts.administration.garbage;

/** A plan: what a collection would remove, and what it would keep and why. */
export function GarbagePlan({ plan }: { readonly plan: Plan }) {
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
