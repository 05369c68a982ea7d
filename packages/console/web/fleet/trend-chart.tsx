import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { barsOf, chart, gridOf, maxOf, type TrendDay } from "./trend-shapes.ts";

/** Vulnerabilities by day: one bar for each day, split by severity. */
export function TrendChart({ days }: { readonly days: readonly TrendDay[] }) {
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  const label = texts.fleet.trendLabel(first, last, formatCount(maxOf(days)));
  return (
    <svg className="chart" viewBox={`0 0 ${chart.width} ${chart.height}`} role="img" aria-label={label}>
      {gridOf(days).map(({ count, y }) => (
        <g key={count}>
          <line className="grid" x1={chart.left} x2={chart.width} y1={y} y2={y} />
          <text x={chart.left - 8} y={y + 4} textAnchor="end">
            {formatCount(count)}
          </text>
        </g>
      ))}
      {barsOf(days).map(({ key, severity, ...place }) => (
        <rect key={key} className={severity.toLowerCase()} {...place}>
          <title>{key}</title>
        </rect>
      ))}
      <text x={chart.left} y={chart.height - 6}>
        {first}
      </text>
      <text x={chart.width} y={chart.height - 6} textAnchor="end">
        {last}
      </text>
    </svg>
  );
}
