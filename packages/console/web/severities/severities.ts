import type { ResultOf } from "../api/operation.ts";

/** Severities, the worst first. */
export const severities = ["Critical", "High", "Medium", "Low", "Negligible", "Unknown"] as const;

/** One of {@link severities}. */
export type Severity = (typeof severities)[number];

type ListedTag = ResultOf<"GET /repository/{repository}/tag/">["tags"][number];

/** The numbers of an image's vulnerabilities by severity, and how reliable they are. */
export type ImageSeverities = NonNullable<ListedTag["severities"]>;

/** Numbers of vulnerabilities by severity. */
export type SeverityCounts = Pick<ImageSeverities, Lowercase<Severity>>;

/** The counts that are not zero, the worst first. */
export function countsOf(counts: SeverityCounts): readonly (readonly [severity: Severity, count: number])[] {
  return severities
    .map((severity) => [severity, counts[severity.toLowerCase() as Lowercase<Severity>]] as const)
    .filter(([, count]) => count > 0);
}

/** Whether there may be more vulnerabilities than were counted: a part was not assessed, or the feeds are outdated. */
export function mayHaveMore({ partial, feeds }: Pick<ImageSeverities, "partial" | "feeds">): boolean {
  return partial || feeds !== "current";
}

/** A part of a severity bar. */
export interface BarPart {
  readonly severity: Severity;
  /** In pixels from the left. */
  readonly start: number;
  /** In pixels. */
  readonly width: number;
}

/** The width of the narrowest visible part, in pixels. */
const minWidth = 3;

/** The parts of a bar. Widths are proportional to the counts, above a visible minimum. */
export function barParts(counts: SeverityCounts, width: number): readonly BarPart[] {
  const shown = countsOf(counts);
  const total = shown.reduce((sum, [, count]) => sum + count, 0);
  const free = width - minWidth * shown.length;
  let start = 0;
  return shown.map(([severity, count]) => {
    const part = { severity, start, width: minWidth + (free * count) / total };
    start += part.width;
    return part;
  });
}
