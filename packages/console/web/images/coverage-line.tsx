import { AlertIcon, CheckCircleIcon, ClockIcon } from "@primer/octicons-react";
import { CoverageNotice } from "../findings/coverage-notice.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";
import { SuppressedList } from "./suppressed-list.tsx";

const words = texts.findings;

/** The coverage of a scan, the age of its advisories, and the suppressed findings. */
export function CoverageLine({ found }: { readonly found: Security }) {
  const { Problems: problems = [], Suppressed: suppressed = [] } = found;
  const gaps = problems.map(({ At, Code, Message }) => ({
    key: `${At} ${Code} ${Message}`,
    text: (
      <>
        <code>{At}</code>: {Message}
      </>
    ),
  }));
  const title =
    gaps.length === 0 ? (
      <>
        <CheckCircleIcon /> {words.complete}
      </>
    ) : (
      <>
        <AlertIcon /> {words.notAssessed(gaps.length)} – {words.showProblems}
      </>
    );
  return (
    <CoverageNotice title={title} gaps={gaps}>
      <DataAge found={found} />
      <SuppressedList suppressed={suppressed} />
    </CoverageNotice>
  );
}

/** When the advisories were last checked: the earliest check of all feeds. */
function DataAge({ found: { Feeds: feeds } }: { readonly found: Security }) {
  const checked = feeds.flatMap(({ CheckedAt }) => (CheckedAt === undefined ? [] : [Date.parse(CheckedAt)]));
  if (checked.length === 0) return undefined;
  return (
    <p>
      <ClockIcon /> {words.advisoriesFrom} <Time at={Math.min(...checked)} />
    </p>
  );
}
