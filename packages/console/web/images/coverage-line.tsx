import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";

const words = texts.findings;

/** Whether everything was assessed, and by which advisories. What was not assessed is never shown as good. */
export function CoverageLine({ found }: { readonly found: Security }) {
  const { Problems: problems = [], Suppressed: suppressed = [] } = found;
  return (
    <div className={problems.length > 0 ? "coverage incomplete" : "coverage"}>
      {problems.length === 0 ? (
        <p>{words.complete}</p>
      ) : (
        <details>
          <summary>
            {words.notAssessed(problems.length)} – {words.showProblems}
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
      {suppressed.length > 0 && <p>{words.suppressed(suppressed.length)}</p>}
    </div>
  );
}
