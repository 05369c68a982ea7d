import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { ChartFrame } from "../charts/bar-chart.tsx";
import { type Severity, severities } from "../severities/severities.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

const words = texts.fleet;

/** The periods to choose from, in days. */
const spans = [30, 90, 365] as const;

/** The chosen period. */
export interface Span {
  readonly days: number;
  readonly setDays: (days: string) => void;
}

/** The chosen period. It is in the address. */
export function useSpan(): Span {
  const [text, setDays] = useSearchParam("days");
  return { days: spans.find((each) => String(each) === text) ?? spans[0], setDays };
}

/** Chooses the period. */
export function SpanChoice({ days, setDays }: Span) {
  return (
    <label>
      {words.days}{" "}
      <select value={days} onChange={({ target }) => setDays(target.value)}>
        {spans.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

/** The number of vulnerabilities of a namespace's images by day, as a chart and as a table. The period is in the address. */
export function Trend({ namespace, isOrganization }: SecuredNamespace) {
  const span = useSpan();
  const { days } = span;
  const own = useOperation("GET /user/security/trend", { query: { days } }, { enabled: !isOrganization });
  const params = { orgname: namespace };
  const shared = useOperation(
    "GET /organization/{orgname}/security/trend",
    { params, query: { days } },
    { enabled: isOrganization },
  );
  return (
    <Section title={words.trend}>
      <SpanChoice {...span} />
      <Answered query={isOrganization ? shared : own}>
        {({ days: found }) =>
          found.length === 0 ? (
            <p className="empty">{words.noTrend}</p>
          ) : (
            <>
              <TrendChart days={found} />
              <details>
                <summary>{words.figures}</summary>
                <Table columns={columns} rows={found.toReversed()} keyOf={({ day }) => day} />
              </details>
            </>
          )
        }
      </Answered>
    </Section>
  );
}

/** A column for each severity. */
export const severityColumns = severities.map((severity): Column<Pick<TrendDay, "severities">> => {
  const name = severity.toLowerCase() as Lowercase<typeof severity>;
  return { title: severity, isNumber: true, cell: ({ severities: counts }) => formatCount(counts[name]) };
});

const columns: readonly Column<TrendDay>[] = [
  { title: words.day, isName: true, cell: ({ day }) => day },
  ...severityColumns,
  { title: words.notAssessed, isNumber: true, cell: ({ uncounted }) => formatCount(uncounted) },
];

/** Vulnerabilities by day: one bar for each day, split by severity. */
function TrendChart({ days }: { readonly days: readonly TrendDay[] }) {
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  const label = texts.fleet.trendLabel(first, last, formatCount(maxOf(days)));
  const grid = gridOf(days);
  const { width, height, left, bottom } = chart;
  return (
    <ChartFrame
      label={label}
      scale={grid.map(({ count }) => formatCount(count)).reverse()}
      ends={[first, first === last ? "" : last]}
      viewBox={`${left} 0 ${width - left} ${height - bottom}`}
    >
      {grid.map(({ count, y }) => (
        <line key={count} className="grid" x1={left} x2={width} y1={y} y2={y} />
      ))}
      {barsOf(days).map(({ key, severity, ...place }) => (
        <rect key={key} className={severity.toLowerCase()} {...place}>
          <title>{key}</title>
        </rect>
      ))}
    </ChartFrame>
  );
}

/** The vulnerability counts of a namespace on one day. */
type TrendDay = ResultOf<"GET /user/security/trend">["days"][number];

/** The size of the chart, in units of its drawing. */
export const chart = { width: 720, height: 200, left: 48, bottom: 24, top: 8 } as const;

/** A rectangle of the chart. */
interface Bar {
  readonly key: string;
  readonly severity: Severity;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A horizontal line of the chart, with its count. */
interface GridLine {
  readonly count: number;
  readonly y: number;
}

/** The largest number of vulnerabilities on one day. */
function maxOf(days: readonly Pick<TrendDay, "severities">[]): number {
  return Math.max(0, ...days.map(totalOf));
}

function totalOf({ severities: counts }: Pick<TrendDay, "severities">): number {
  return severities.reduce((sum, severity) => sum + countOf(counts, severity), 0);
}

function countOf(counts: TrendDay["severities"], severity: Severity): number {
  return counts[severity.toLowerCase() as Lowercase<Severity>];
}

/** The bars of the days, the worst severity at the bottom. */
export function barsOf(days: readonly Pick<TrendDay, "day" | "severities">[]): readonly Bar[] {
  const scale = (chart.height - chart.bottom - chart.top) / Math.max(1, topOf(maxOf(days)));
  const step = (chart.width - chart.left) / days.length;
  const width = Math.max(1, step - Math.min(2, step / 4));
  return days.flatMap(({ day, severities: counts }, index) => {
    let y = chart.height - chart.bottom;
    return severities.flatMap((severity) => {
      const height = countOf(counts, severity) * scale;
      if (height === 0) return [];
      y -= height;
      return [{ key: `${day} ${severity}`, severity, x: chart.left + index * step, y, width, height }];
    });
  });
}

/** The lines at 0, at half and at the top of the chart. */
export function gridOf(days: readonly Pick<TrendDay, "severities">[]): readonly GridLine[] {
  const top = topOf(maxOf(days));
  const height = chart.height - chart.bottom - chart.top;
  return [0, top / 2, top].map((count) => ({ count, y: chart.height - chart.bottom - (count / top) * height }));
}

/** The top of the scale: the count, rounded up to one significant digit and to an even number, so that its half is whole. */
function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(2, most)));
  const digits = Math.ceil(most / power);
  return Math.max(2, power > 1 ? digits * power : digits + (digits % 2));
}

/** A user's or an organization's namespace. */
export interface SecuredNamespace {
  readonly namespace: string;
  readonly isOrganization: boolean;
}
