import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";

interface Props {
  /** The text that says whether everything was assessed. */
  readonly title: ReactNode;
  /** The parts that were not assessed; empty if everything was. */
  readonly gaps: readonly { readonly key: string; readonly text: ReactNode }[];
  /** Whether the list of gaps is open at first. */
  readonly isOpen?: boolean;
  /** More content below. */
  readonly children?: ReactNode;
}

/** The coverage of an assessment. An incomplete one never looks like a good result. */
export function CoverageNotice({ title, gaps, isOpen = false, children }: Props) {
  return (
    <section className={gaps.length > 0 ? "coverage incomplete" : "coverage"} aria-label={texts.findings.coverage}>
      {gaps.length === 0 ? (
        <p>{title}</p>
      ) : (
        <details open={isOpen}>
          <summary>{title}</summary>
          <ul>
            {gaps.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </section>
  );
}
