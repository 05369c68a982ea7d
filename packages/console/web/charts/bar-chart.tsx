import { formatCount } from "../shared/units.ts";

/** A bar of a chart. */
export interface Bar {
  readonly name: string;
  readonly value: number;
}

interface Props {
  /** A description of the chart for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
}

/** The area of the bars, in units of the drawing; the axes are below and to the left. */
const [left, top, width, height] = [48, 8, 584, 120] as const;

/** A bar chart of counts, from 0. The axes show the largest count and the first and the last name. */
export function BarChart({ label, bars }: Props) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = width / Math.max(1, bars.length);
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <svg className="chart" viewBox="0 0 640 152" role="img" aria-label={label}>
      <text x={left - 8} y={top + 10} textAnchor="end">
        {formatCount(most)}
      </text>
      <text x={left - 8} y={top + height} textAnchor="end">
        0
      </text>
      <line x1={left} x2={left} y1={top} y2={top + height} />
      <line x1={left} x2={left + width} y1={top + height} y2={top + height} />
      {bars.map(({ name, value }, index) => {
        const tall = (value / most) * height;
        return (
          <rect
            key={name}
            x={left + index * step + 1}
            y={top + height - tall}
            width={Math.max(1, step - 2)}
            height={tall}
          >
            <title>{`${name}: ${formatCount(value)}`}</title>
          </rect>
        );
      })}
      <text x={left} y={top + height + 20}>
        {first?.name}
      </text>
      {last !== first && (
        <text x={left + width} y={top + height + 20} textAnchor="end">
          {last?.name}
        </text>
      )}
    </svg>
  );
}
