import { formatCount } from "../shared/units.ts";
import { sparks } from "./sparks.ts";

/** The size of the drawing, in pixels. */
const [width, height] = [90, 16];

interface Props {
  /** Of each day, the oldest first. */
  readonly counts: readonly number[];
  /** What the drawing says, for those who do not see it. */
  readonly label: (total: string, most: string) => string;
  /** What is said where nothing was counted. */
  readonly none: string;
}

/** Counts of days in a line of a table: a drawing as high as a word, with the total beside it. */
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
