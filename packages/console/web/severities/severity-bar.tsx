import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import {
  barParts,
  countsOf,
  type ImageSeverities,
  mayHaveMore,
  type Severity,
  type SeverityCounts,
} from "./severities.ts";

const words = texts.severities;

/** The size of a bar, in pixels. */
const [width, height] = [96, 8];

interface Props {
  /** Null: the image was not assessed. */
  readonly counts: (SeverityCounts & Partial<Pick<ImageSeverities, "partial" | "feeds">>) | null;
}

/** The vulnerabilities of an image: a bar with one part for each severity, and the counts as a description. */
export function SeverityBar({ counts }: Props) {
  if (counts === null) return <span className="empty">{words.notAssessed}</span>;
  const { partial = false, feeds = "current" } = counts;
  const hasMore = mayHaveMore({ partial, feeds });
  const shown = countsOf(counts);
  if (shown.length === 0) return <span className="empty">{hasMore ? words.noneButPartial : words.none}</span>;
  const sentence = words.counts(shown.map(([severity, count]) => `${formatCount(count)} ${severity}`).join(", "));
  const label = hasMore ? `${sentence}; ${words.partial}` : sentence;
  return (
    <span className="severity-counts">
      <svg className="severity-bar" width={width} height={height} role="img" aria-label={label}>
        <title>{label}</title>
        {barParts(counts, width).map(({ severity, start, width: part }) => (
          <rect
            key={severity}
            className={severity.toLowerCase()}
            x={start}
            width={Math.max(1, part - 1)}
            height={height}
          />
        ))}
      </svg>
      {hasMore && <small>{words.mayHaveMore}</small>}
    </span>
  );
}

/** The vulnerabilities of an image in a file: `2 Critical, 1 High`; empty where the image was not assessed. */
export function severitiesText(counts: SeverityCounts | null): string {
  if (counts === null) return "";
  return (
    countsOf(counts)
      .map(([severity, count]) => `${count} ${severity}`)
      .join(", ") || words.none
  );
}

/** A severity, as a word in its colour. */
export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return <span className={`severity ${severity.toLowerCase()}`}>{severity}</span>;
}
