import type { ReactNode } from "react";
import { SeverityBadge } from "../severities/severity-bar.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { FindingCounts } from "./shown-finding.ts";

const words = texts.findings;

/** A filter of a list of findings. */
export interface FindingFilter {
  readonly param: "severity" | "exploited" | "fixed";
  readonly value: string;
  /** The findings that the filter keeps, with their number. */
  readonly label: ReactNode;
}

interface Props {
  readonly counts: FindingCounts;
  readonly search: ReactNode;
  readonly chip: (filter: FindingFilter) => ReactNode;
  /** More filters. */
  readonly children?: ReactNode;
}

/** The number of findings of each kind; each is a button that filters by it. */
export function FindingFilters({ counts: { severities, exploited, fixable }, search, chip, children }: Props) {
  return (
    <div className="filters">
      {search}
      {severities.map(([severity, count]) =>
        chip({
          param: "severity",
          value: severity,
          label: (
            <>
              <SeverityBadge severity={severity} /> {formatCount(count)}
            </>
          ),
        }),
      )}
      {exploited > 0 &&
        chip({ param: "exploited", value: "yes", label: `${words.onlyExploited} ${formatCount(exploited)}` })}
      {chip({ param: "fixed", value: "yes", label: `${words.onlyFixed} ${formatCount(fixable)}` })}
      {children}
    </div>
  );
}
