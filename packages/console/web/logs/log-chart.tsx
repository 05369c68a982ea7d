import { BarChart } from "../charts/bar-chart.tsx";
import { Table } from "../shared/table.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { countsByDay, countsByKind, type DayCount, type LogDays } from "./log-days.ts";
import { kindText } from "./log-entries.tsx";

const words = texts.logs;

interface Props {
  /** Absent where the days are too many to be counted. */
  readonly counts: readonly DayCount[] | undefined;
  readonly days: LogDays;
  /** The kind that is shown alone; empty: all. */
  readonly kind: string;
  readonly onKind: (kind: string) => void;
}

/** The number of entries on each day, as a chart and as a table, with a filter by kind. */
export function LogChart({ counts, days, kind, onKind }: Props) {
  if (counts === undefined) return <p className="empty">{words.noChart}</p>;
  if (counts.length === 0) return undefined;
  const bars = countsByDay(counts, days, kind);
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return (
    <figure>
      <figcaption>{words.chart}</figcaption>
      <fieldset className="filters" aria-label={words.kinds}>
        {countsByKind(counts).map(([each, count]) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={kind === each}
            onClick={() => onKind(kind === each ? "" : each)}
          >
            {kindText(each)} {formatCount(count)}
          </button>
        ))}
      </fieldset>
      <BarChart label={words.chartLabel(formatCount(total), bars.length)} bars={bars} />
      <details>
        <summary>{words.asTable}</summary>
        <Table
          columns={[
            { title: words.columns.day, isName: true, cell: ({ name }) => name },
            { title: words.columns.count, isNumber: true, cell: ({ value }) => formatCount(value) },
          ]}
          rows={bars}
          keyOf={({ name }) => name}
        />
      </details>
    </figure>
  );
}
