import { useRegistryConfig } from "../api/registry-config.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { BarChart } from "../charts/bar-chart.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { type Order, useOrder, useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { AboutEntry, aboutText } from "./about-entry.tsx";
import {
  apiDay,
  countsByDay,
  countsByKind,
  type DayCount,
  type LogDays,
  type LogEntry,
  type LogOwner,
  logCalls,
  logDays,
} from "./log-calls.ts";

const words = texts.logs;

/** The usage log of an owner: entries by day, their list and their export. The period and filters are in the address. */
export function UsageLog({ owner }: { readonly owner: LogOwner }) {
  const [from, setFrom] = useSearchParam("from");
  const [to, setTo] = useSearchParam("to");
  const [by, setBy] = useSearchParam("by");
  const [repository, setRepository] = useSearchParam("repository");
  const [kind, setKind] = useSearchParam("kind");
  const mayExport = useRegistryConfig().data?.features.LOG_EXPORT === true;
  const { list, params, hasRepository, hasExport } = logCalls(owner);
  const days = logDays(from, to, Date.now());
  const dates = { starttime: apiDay(days.from), endtime: apiDay(days.to) };
  const order = useOrder(["at"], "-at");
  const query = {
    ...{ ...dates, order: order.value, counts: true },
    performer: by.trim() || undefined,
    repository: (hasRepository && repository.trim()) || undefined,
    kinds: kind || undefined,
  };
  const given = { params, query };
  const entries = usePages(list, given);
  return (
    <Section title={words.title} about={words.days}>
      <div className="line">
        <TextField
          name="from"
          label={words.from}
          type="date"
          value={days.from}
          max={days.to}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          name="to"
          label={words.to}
          type="date"
          value={days.to}
          min={days.from}
          onChange={({ target }) => setTo(target.value)}
        />
        <TextField name="by" label={words.by} value={by} onChange={({ target }) => setBy(target.value)} />
        {hasRepository && (
          <TextField
            name="repository"
            label={owner.kind === "registry" ? words.anyRepository : words.repository}
            value={repository}
            onChange={({ target }) => setRepository(target.value)}
          />
        )}
      </div>
      <Paged query={entries}>
        {(pages) => (
          <>
            <LogChart counts={pages[0]?.aggregated} days={days} kind={kind} onKind={setKind} />
            <LogEntries
              entries={pages.flatMap(({ logs }) => logs)}
              empty={kind === "" ? words.none : words.noneOfKind}
              order={order}
              all={() => readAllRows(list, given, ({ logs }) => logs)}
            />
          </>
        )}
      </Paged>
      {hasExport && mayExport && <LogExport owner={owner} dates={dates} />}
    </Section>
  );
}

const logExportWords = texts.logs.export;

interface Props {
  readonly owner: LogOwner;
  /** In the format of the management API. */
  readonly dates: { readonly starttime: string; readonly endtime: string };
}

/** Starts an export of a period's entries to a file, whose link is sent to an e-mail or web address. */
function LogExport({ owner, dates }: Props) {
  const { export: operation, params } = logCalls(owner);
  const change = useChange(operation, []);
  return (
    <>
      <h3>{logExportWords.title}</h3>
      <p>{logExportWords.about}</p>
      <ChangeForm
        label={logExportWords.begin}
        change={change}
        given={(typed) => ({ params, query: dates, body: typedReceivers(typed) })}
      >
        <TextField name="email" label={logExportWords.email} type="email" maxLength={254} />
        <TextField name="url" label={logExportWords.url} type="url" maxLength={2000} />
      </ChangeForm>
      {change.data !== undefined && <p role="status">{logExportWords.begun(change.data.export_id)}</p>}
    </>
  );
}

function typedReceivers(typed: Typed) {
  const [email, url] = [typed("email"), typed("url")];
  return { callback_email: email || undefined, callback_url: url || undefined };
}

interface LogChartProps {
  /** Absent where the days are too many to be counted. */
  readonly counts: readonly DayCount[] | undefined;
  readonly days: LogDays;
  /** The kind that is shown alone; empty: all. */
  readonly kind: string;
  readonly onKind: (kind: string) => void;
}

/** The number of entries on each day, as a chart and as a table, with a filter by kind. */
function LogChart({ counts, days, kind, onKind }: LogChartProps) {
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

interface EntriesProps {
  readonly entries: readonly LogEntry[];
  readonly order?: Order;
  /** All entries of the period, for a file. */
  readonly all?: () => Promise<readonly LogEntry[]>;
  /** The text shown instead of a list without entries. */
  readonly empty: string;
}

/** Entries of a usage log. */
function LogEntries({ entries, order, all, empty }: EntriesProps) {
  return (
    <Table
      columns={columns}
      rows={entries}
      order={order}
      file={all && { name: "usage-log", all }}
      keyOf={({ datetime, kind: each }, index) => `${datetime} ${each} ${index}`}
      empty={empty}
    />
  );
}

/** The kind of an entry, in words. */
export function kindText(kind: string): string {
  return kind.replaceAll("_", " ");
}

const columns: readonly Column<LogEntry>[] = [
  {
    title: words.columns.when,
    order: "-at",
    text: ({ datetime }) => timeText(Date.parse(datetime)),
    cell: ({ datetime }) => <Time at={Date.parse(datetime)} />,
  },
  { title: words.columns.what, isName: true, cell: ({ kind }) => kindText(kind) },
  { title: words.columns.who, cell: ({ performer }) => performer.name || words.anonymous },
  { title: words.columns.from, cell: ({ ip }) => ip || "–" },
  {
    title: words.columns.about,
    isText: true,
    text: aboutText,
    cell: (entry) => <AboutEntry entry={entry} />,
  },
];
