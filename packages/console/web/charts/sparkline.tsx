import { formatCount } from "../shared/units.ts";

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

/** A bar of a sparkline, in pixels. */
interface Spark {
  /** The index of the day, from 0. */
  readonly day: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The height of the lowest visible bar, in pixels. */
const minHeight = 2;

/** The bars of counts that are not zero, the largest as high as the drawing. */
export function sparks(
  counts: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Spark[] {
  const most = Math.max(...counts);
  const step = width / counts.length;
  return counts.flatMap((count, day) => {
    if (count === 0) return [];
    const tall = Math.max(minHeight, Math.round((count / most) * height));
    return [{ day, x: day * step, y: height - tall, width: step - 1, height: tall }];
  });
}
