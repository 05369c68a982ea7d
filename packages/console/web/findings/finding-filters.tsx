import type { ReactNode } from "react";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { FindingCounts } from "./shown-finding.ts";

const words = texts.findings;

/** What narrows a list of findings. */
export interface FindingFilter {
  readonly param: "severity" | "exploited" | "fixed";
  readonly value: string;
  /** What it lets through, with how many those are. */
  readonly label: ReactNode;
}

interface Props {
  readonly counts: FindingCounts;
  readonly search: ReactNode;
  readonly chip: (filter: FindingFilter) => ReactNode;
  /** More of them. */
  readonly children?: ReactNode;
}

/** How many findings there are of each kind; each count is a filter. */
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
