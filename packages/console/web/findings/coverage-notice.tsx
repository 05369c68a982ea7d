import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";

interface Props {
  /** Whether everything was assessed, in words. */
  readonly title: ReactNode;
  /** What was not assessed; none: everything was. */
  readonly gaps: readonly { readonly key: string; readonly text: ReactNode }[];
  /** Whether it is open from the start. */
  readonly isOpen?: boolean;
  /** What else is to be known of it. */
  readonly children?: ReactNode;
}

/** Whether everything was assessed. What was not is never shown as good. */
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
