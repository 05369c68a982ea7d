import { formatCount } from "../shared/units.ts";
import { sparks } from "./sparks.ts";

/** The size of the drawing, in pixels. */
const [width, height] = [90, 16];

interface Props {
  /** The count of each day, the oldest first. */
  readonly counts: readonly number[];
  /** A description of the drawing for screen readers. */
  readonly label: (total: string, most: string) => string;
  /** The text shown if every count is 0. */
  readonly none: string;
}

/** Counts of days as a small bar chart in a line of text, with the total beside it. */
export function Sparkline({ counts, label, none }: Props) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return <span className="empty">{none}</span>;
  const sentence = label(formatCount(total), formatCount(Math.max(...counts)));
  return (
    <span className="sparkline">
      <svg width={width} height={height} role="img" aria-label={sentence}>
        <title>{sentence}</title>
        <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {sparks(counts, { width, height }).map(({ day, ...place }) => (
          <rect key={day} {...place} />
        ))}
      </svg>
      {formatCount(total)}
    </span>
  );
}
