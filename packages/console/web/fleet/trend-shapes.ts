import type { ResultOf } from "../api/operation.ts";
import { type Severity, severities } from "../severities/severities.ts";

/** The vulnerability counts of a namespace on one day. */
export type TrendDay = ResultOf<"GET /user/security/trend">["days"][number];

/** The size of the chart, in units of its drawing. */
export const chart = { width: 720, height: 200, left: 48, bottom: 24, top: 8 } as const;

/** A rectangle of the chart. */
export interface Bar {
  readonly key: string;
  readonly severity: Severity;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A horizontal line of the chart, with its count. */
export interface GridLine {
  readonly count: number;
  readonly y: number;
}

/** The largest number of vulnerabilities on one day. */
export function maxOf(days: readonly Pick<TrendDay, "severities">[]): number {
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
