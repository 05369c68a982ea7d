import { AlertIcon, CheckCircleIcon, ClockIcon } from "@primer/octicons-react";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";
import { SuppressedList } from "./suppressed-list.tsx";

const words = texts.findings;

/** Whether everything was assessed, and by which advisories. What was not assessed is never shown as good. */
export function CoverageLine({ found }: { readonly found: Security }) {
  const { Problems: problems = [], Suppressed: suppressed = [] } = found;
  return (
    <div className={problems.length > 0 ? "coverage incomplete" : "coverage"}>
      {problems.length === 0 ? (
        <p>
          <CheckCircleIcon /> {words.complete}
        </p>
      ) : (
        <details>
          <summary>
            <AlertIcon /> {words.notAssessed(problems.length)} – {words.showProblems}
          </summary>
          <ul>
            {problems.map(({ At, Code, Message }) => (
              <li key={`${At} ${Code} ${Message}`}>
                <code>{At}</code>: {Message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <DataAge found={found} />
      <SuppressedList suppressed={suppressed} />
    </div>
  );
}

/** When the advisories were last checked: of several feeds, the oldest. */
function DataAge({ found: { Feeds: feeds } }: { readonly found: Security }) {
  const checked = feeds.flatMap(({ CheckedAt }) => (CheckedAt === undefined ? [] : [Date.parse(CheckedAt)]));
  if (checked.length === 0) return undefined;
  return (
    <p>
      <ClockIcon /> {words.advisoriesFrom} <Time at={Math.min(...checked)} />
    </p>
  );
}
