import type { ReactNode } from "react";
import { formatCount, formatSize } from "../shared/units.ts";

/** A bar of a chart. */
export interface Bar {
  readonly name: string;
  readonly value: number;
}

interface Props {
  /** A description of the chart for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The text of a value; by default, it is a count. */
  readonly format?: (value: number) => string;
}

/** A bar chart of values, from 0. The axes show the largest value and the first and the last name. */
export function BarChart({ label, bars, format = formatCount }: Props) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ChartFrame
      label={label}
      scale={[format(most), format(0)]}
      ends={[bars[0]?.name ?? "", bars.length > 1 ? (bars.at(-1)?.name ?? "") : ""]}
      viewBox={`0 0 ${Math.max(1, bars.length)} ${most}`}
    >
      {bars.map(({ name, value }, index) => (
        <rect key={name} x={index + 0.1} y={most - value} width={0.8} height={value}>
          <title>{`${name}: ${format(value)}`}</title>
        </rect>
      ))}
    </ChartFrame>
  );
}

interface FrameProps {
  /** A description of the chart for screen readers. */
  readonly label: string;
  /** The texts of the vertical axis, the top first, at equal distances. */
  readonly scale: readonly string[];
  /** The texts of both ends of the horizontal axis. */
  readonly ends: readonly [first: string, last: string];
  /** The part of the drawing between the axes. It is stretched to the width of the page. */
  readonly viewBox: string;
  readonly children: ReactNode;
}

/** A drawing with its axes. Their texts are not part of the drawing, so that a narrow screen does not shrink them. */
export function ChartFrame({ label, scale, ends, viewBox, children }: FrameProps) {
  return (
    <div className="chart-frame" role="img" aria-label={label}>
      <div className="scale">
        {scale.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      <svg className="chart" viewBox={viewBox} preserveAspectRatio="none" aria-hidden="true">
        {children}
      </svg>
      <div className="ends">
        {ends.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  );
}

/** The bar of the largest size, in pixels. */
const sizeBar = { width: 96, height: 8 } as const;

/** A size with its bar, beside that of the largest in its list. */
export function SizeBar({ bytes, largest }: { readonly bytes: number; readonly largest: number }) {
  return (
    <span className="sparkline">
      <svg width={sizeBar.width} height={sizeBar.height} aria-hidden="true">
        <rect width={(sizeBar.width * bytes) / Math.max(1, largest)} height={sizeBar.height} />
      </svg>
      {formatSize(bytes)}
    </span>
  );
}
