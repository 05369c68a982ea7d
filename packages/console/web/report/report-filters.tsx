import { FindingFilters } from "../findings/finding-filters.tsx";
import type { FindingCounts } from "../findings/shown-finding.ts";
import { texts } from "../texts/texts.ts";

const words = texts.report;

/** The filters of the table of findings. The script of the page applies them. */
export function ReportFilters({ counts }: { readonly counts: FindingCounts }) {
  return (
    <div className="controls">
      <FindingFilters
        counts={counts}
        search={
          <input type="search" id="search" placeholder={words.search} aria-label={words.search} autoComplete="off" />
        }
        chip={({ param, value, label }) => (
          <button
            key={`${param} ${value}`}
            type="button"
            className="chip"
            data-param={param}
            data-value={value}
            aria-pressed={false}
          >
            {label}
          </button>
        )}
      >
        <button type="button" id="reset">
          {words.reset}
        </button>
        <span id="status" role="status" className="empty" />
      </FindingFilters>
    </div>
  );
}
